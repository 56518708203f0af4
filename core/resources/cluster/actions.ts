import type { Actions } from "../../kernel/request/action.ts";
import { issue, revoke } from "./credentials.ts";
import { retryWrites } from "./retry.ts";

/** What people ask of a cluster. */
export const actions = {
  retry: {
    summary: "Retry a cluster",
    description:
      "Orders a failed cluster again, continues an upgrade that stopped, or renews the certificate of an ingress that was not renewed in time.",
    destroys: false,
    accept: (cluster, { deps, caller }) => retryWrites(deps, caller, cluster),
  },
  issue,
  revoke,
} satisfies Actions<"cluster">;
