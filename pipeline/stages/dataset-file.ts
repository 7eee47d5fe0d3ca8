import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DatasetOptions, WrittenMmdb } from '../mmdb/write.js';
