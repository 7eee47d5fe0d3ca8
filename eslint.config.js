import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'output/', 'node_modules/', '.tap/', 'eslint.config.js'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // Counters and sizes are printed everywhere; a number in a template is what we mean.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Hot loops index typed arrays whose bounds the loop has just established.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.test.ts', '**/*.bench.ts', '**/*.fuzz.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-floating-promises': 'off' },
  },
);
