/** Content-Type of HTML. */
export const HTML_TYPE = 'text/html; charset=utf-8';
