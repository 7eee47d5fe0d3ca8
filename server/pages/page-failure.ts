import { Failure } from '../failure.js';

/** A failure of a page whose message is in the language of the page. All other messages are those of the API. */
export class PageFailure extends Failure {}
