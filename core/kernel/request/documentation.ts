import { known } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";

/**
 * The kind's part of the API reference. Only the generator of OpenAPI and tests read it, so functions
 * do not bundle it.
 */
export interface Documentation {
  /** The kind's meaning in one sentence. */
  meaning: string;
  /** The reference's groups in which the kind appears: for tenants (if they have the kind) and for the provider. */
  groups: {
    public?: "Order" | "Networks" | "People";
    private: "Provider" | "Provider: networks" | "Provider: people";
  };
  /**
   * A valid request for a new object. It uses the names of the world that `npm run dev` starts. Absent
   * for a kind that no request creates.
   */
  example?: Example;
  /** An administrator's request for a new object names its tenant. */
  belongsToTenants?: true;
  /** A request for a change; a change of labels by default. */
  change?: Example;
  /** A short answer of the API for one object. */
  answer: Example;
  /** OSAC has no such kind. For all other kinds docs/osac-compatibility.md has a section. */
  osacLacksIt?: true;
}

export type Documentations = { readonly [K in Kind]?: Documentation };

/** The kind's part of the API reference. Throws Internal where the registry lacks it. */
export const documentationOf = (documentations: Documentations, kind: Kind): Documentation =>
  known(kind, documentations[kind]);

export type Example = Record<string, unknown>;

/** The id of most objects in examples. */
export const exampleId = "01a203c7-eebb-71de-8756-f310686dbe4b";

/** A reference in the form of an answer. */
export const referred = (name: string) => ({ id: name, name });

const metadata = (name: string, tenant: string, creator: string) => ({
  ...{ name, tenant, labels: {}, annotations: {} },
  ...{ creator, creation_timestamp: "2026-11-22T15:02:44.153Z", version: 0 },
});

/** The answer for an object of a tenant. */
export const ofTenant = (name: string, rest: Example): Example => ({
  ...{ id: exampleId, metadata: metadata(name, "tenant-a", "tenant-a-user") },
  ...rest,
});

/** The answer for an object of the provider. Its id is its name by default. */
export const ofProvider = (name: string, rest: Example): Example => ({
  ...{ id: name, metadata: metadata(name, "shared", "setup") },
  ...rest,
});
