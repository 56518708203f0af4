import type { Timer } from "../../core/clock.ts";
import type { KubeCluster, KubeObject } from "../kubernetes/cluster.ts";

export interface ObjectKey {
  namespace?: string | undefined;
  name: string;
}

/** An operator's controller for one kind. */
export interface Controller {
  kind: string;
  /** Other kinds, each with a function that maps a changed object to the objects of `kind` to reconcile. */
  also?: Record<string, (object: KubeObject) => ObjectKey[]>;
  /**
   * Reconciles one object. Called again after every change, so it changes nothing when nothing is due. Returns the time
   * of the next call without a change, in ms since the epoch.
   */
  reconcile(object: KubeObject): number | undefined;
  /** Cleans up after a removed object. */
  gone?(object: KubeObject): void;
}

/**
 * Runs controllers over one cluster: level-triggered, one object at a time, in the order of requests. Nothing is
 * stored: `start` queues all objects again.
 */
export class ControlLoop {
  readonly #cluster: KubeCluster;
  readonly #controllers: Controller[];
  readonly #queue = new Map<string, { controller: Controller; key: ObjectKey }>();
  readonly #alarms = new Map<string, { at: number; timer: Timer }>();
  #subscriptions: (() => void)[] = [];
  #drain: Timer | undefined;

  constructor(cluster: KubeCluster, controllers: Controller[]) {
    this.#cluster = cluster;
    this.#controllers = controllers;
  }

  start(): void {
    for (const controller of this.#controllers) {
      this.#watch(controller.kind, (object, deleted) => {
        if (deleted) this.#forget(controller, object);
        else this.#enqueue(controller, object.metadata);
      });
      for (const [kind, keys] of Object.entries(controller.also ?? {})) {
        this.#watch(kind, (object) => {
          for (const key of keys(object)) this.#enqueue(controller, key);
        });
      }
      for (const { metadata } of this.#cluster.list(controller.kind))
        this.#enqueue(controller, metadata);
    }
  }

  stop(): void {
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#subscriptions = [];
    for (const { timer } of this.#alarms.values()) timer.cancel();
    this.#alarms.clear();
    this.#drain?.cancel();
    this.#drain = undefined;
    this.#queue.clear();
  }

  /** Queues an object for the controllers of `kind`, after a change outside of this cluster. */
  enqueue(kind: string, key: ObjectKey): void {
    for (const controller of this.#controllers) {
      if (controller.kind === kind) this.#enqueue(controller, key);
    }
  }

  #watch(kind: string, listener: (object: KubeObject, deleted: boolean) => void): void {
    this.#subscriptions.push(
      this.#cluster.watch(kind, ({ type, object }) => listener(object, type === "DELETED")),
    );
  }

  #enqueue(controller: Controller, { namespace, name }: ObjectKey): void {
    this.#queue.set(idOf(controller, { namespace, name }), {
      controller,
      key: { namespace, name },
    });
    // Runs after the answer to the write that caused it.
    this.#drain ??= this.#cluster.clock.after(0, () => this.#run());
  }

  #run(): void {
    for (const [id, { controller, key }] of this.#queue) {
      this.#queue.delete(id);
      const object = this.#cluster.get(controller.kind, key.namespace, key.name);
      this.#rearm(id, controller, key, object && controller.reconcile(object));
    }
    this.#drain = undefined;
  }

  #rearm(id: string, controller: Controller, key: ObjectKey, at: number | undefined): void {
    const alarm = this.#alarms.get(id);
    if (alarm?.at === at) return;
    alarm?.timer.cancel();
    this.#alarms.delete(id);
    if (at === undefined) return;
    const timer = this.#cluster.clock.after(Math.max(0, at - this.#cluster.clock.now()), () => {
      this.#alarms.delete(id);
      this.#enqueue(controller, key);
    });
    this.#alarms.set(id, { at, timer });
  }

  #forget(controller: Controller, object: KubeObject): void {
    const id = idOf(controller, object.metadata);
    this.#alarms.get(id)?.timer.cancel();
    this.#alarms.delete(id);
    controller.gone?.(object);
  }
}

function idOf(controller: Controller, { namespace = "", name }: ObjectKey): string {
  return `${controller.kind} ${namespace}/${name}`;
}

/** The earliest of the times; undefined when there is none. */
export function earliest(...times: (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}
