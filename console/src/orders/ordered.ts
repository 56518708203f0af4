import type { Metadata, PrivateCluster, Wait } from "../generated/answers.ts";

/** What all that is ordered has in common. */

/** An object that operations change, with the members that all of them have. */
export interface Ordered {
  id?: string;
  metadata: Metadata;
  status: {
    state: string;
    message?: string;
    operation?: string;
    waiting?: Wait[];
    stalled?: PrivateCluster["status"]["stalled"];
    failure?: PrivateCluster["status"]["failure"];
    /** The hub that it is on; for the provider. */
    hub?: string;
    placement?: { hub?: string };
  };
}

export interface OrderedKind {
  kind: string;
  /** Its name in paths. */
  plural: string;
  /** In words. */
  one: string;
  many: string;
  /** Only the provider sees it. */
  isOfStaff?: true;
  /** The states in which it has failed. */
  failed: readonly string[];
}
