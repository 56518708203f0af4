import type { Sagas } from "../core/kernel/saga/settle.ts";

/**
 * Sagas that nothing starts any more, because another saga has replaced, joined or split them. Their state machines
 * stay deployed, and their steps stay in the workers, until none of their executions runs (docs/deploy.md,
 * "Dropping a state machine"). The deployment that removes one ends its executions.
 */
export const retired: Sagas = {};
