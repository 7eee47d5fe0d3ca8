import type { Logger } from 'pino';
import { Gauge, Registry } from 'prom-client';
import type { ServerConfig } from '../config.js';
import { FollowedStore } from '../release/followed-store.js';

/** The parts of a running server that take part when it follows a store. */
export interface Service {
  /** Returns the metrics of all processes in the Prometheus format. */
  renderMetrics(): Promise<string>;
  /** Checks for a new release. */
  look(): void;
  /** Finishes running requests, then stops. */
  stop(): Promise<void>;
}

/**
 * Returns a server that also follows the store of the settings, if there is one, until it is stopped. One process does so
 * for all worker processes.
 */
export function followStore<Running extends Service>(
  service: Running,
  config: ServerConfig,
  log: Logger,
): Running {
  const { store, outputDir, keepReleases, storePollMs } = config;
  if (!store) return service;
  const followed = new FollowedStore({
    ...{ store, outputDir, keepReleases, storePollMs },
    onMoved: () => {
      service.look();
    },
    log: (level, line) => {
      log[level](line);
    },
  });
  followed.start();
  const registry = new Registry();
  addStoreMetrics(registry, followed);
  return {
    ...service,
    renderMetrics: async () => `${await service.renderMetrics()}\n${await registry.metrics()}`,
    look: () => {
      service.look();
      followed.look();
    },
    stop: async () => {
      await followed.stop();
      await service.stop();
    },
  };
}

/** Adds the metric of a followed store to a registry. */
export function addStoreMetrics(registry: Registry, followed: Pick<FollowedStore, 'ageSeconds'>): void {
  new Gauge({
    name: 'ipatlas_store_check_age_seconds',
    help: 'Seconds since the last successful check of the store; absent without STORE',
    registers: [registry],
    collect() {
      this.set(followed.ageSeconds());
    },
  });
}
