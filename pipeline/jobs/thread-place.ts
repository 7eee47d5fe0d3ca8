import { workerData } from 'node:worker_threads';
import type { Place } from '../stage/settings.js';

/** Returns the folders and the store of the worker that started this thread. */
export function placeOfThread(): Place {
  return workerData as Place;
}
