import { runStage } from './run-stage.js';
import { placeOfThread } from './thread-place.js';
import { STAGES } from './stages.js';

/** The processor that BullMQ loads in a worker thread for every job. */
export default runStage(STAGES, placeOfThread());
