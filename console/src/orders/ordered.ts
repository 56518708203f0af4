import type { Metadata, PrivateCluster, Wait } from "../generated/answers.ts";

/** What all ordered kinds have in common. */

/** An object that operations change, with the common members. */
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
    /** Its hub; for the provider. */
    hub?: string;
    placement?: { hub?: string };
  };
}

export interface OrderedKind {
  kind: string;
  /** Its name in paths. */
  plural: string;
  /** The kind in words. */
  one: string;
  many: string;
  /** Only the provider can see it. */
  isOfStaff?: true;
  /** The states in which it has failed. */
  failed: readonly string[];
}
