import { pino } from 'pino';
import type { ServerConfig } from '../config.js';
import { startServer } from '../process/start-server.js';
import { answerFigures, measuredTask } from './measured-process.js';

/** A server for `startMeasured`. Its task is the configuration. */
const server = await startServer(await measuredTask<ServerConfig>(), pino({ level: 'silent' }));
answerFigures(server.url);
