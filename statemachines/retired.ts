import type { Sagas } from "../core/kernel/saga/settle.ts";

/**
 * Sagas that nothing starts any more, since another one has taken their place, joined or split them. Their
 * state machines stay deployed and their steps stay in the workers until no execution of them runs
 * (docs/deploy.md, "Dropping a state machine"). The deployment that leaves one out ends what still runs.
 */
export const retired: Sagas = {};
