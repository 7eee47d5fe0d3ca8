// Loaded first of all by every test file's process (.taprc). Tap's module hooks send every module through a second
// thread, to know for coverage and mocks what was loaded; neither is used, and a test that imports the whole pipeline
// would pay with a second or two of CPU. A preload comes before tap's own `--import`s only as CommonJS.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- an ES import could not be preloaded by --require
import nodeModule = require('node:module');

Object.assign(nodeModule, { register: () => undefined });
