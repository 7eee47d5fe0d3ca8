import { runStage } from './run-stage.js';
import { STAGES } from '../stages/registry.js';

/** What BullMQ loads in a worker thread for every job. */
export default runStage(STAGES);
