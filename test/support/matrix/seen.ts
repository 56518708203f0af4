import type { Wire } from "../site.ts";
import type { Seen } from "./stage.ts";

/** An operation on the wire, as a case of the matrix sees it. */
export const seenIn = ({ id, status }: Wire): Seen => ({
  id,
  state: status.state.replace("OPERATION_STATE_", ""),
  ...(status.failure && { failure: status.failure }),
  steps: Object.fromEntries(status.steps.map(({ name, state }: Wire) => [name, state])),
});
