import { known } from "../object/kind.ts";
import type { Kind } from "../object/object.ts";

/**
 * What the reference says of a kind. Only the generator of OpenAPI and tests read it, so that no
 * function carries it.
 */
export interface Documentation {
  /** What there is, in a sentence. */
  meaning: string;
  /** Where the reference has the kind: for tenants, if they have it, and for the provider. */
  groups: { public?: "Order" | "People"; private: "Provider" | "Provider: people" };
  /**
   * A request for a new one, which is accepted. It uses the names of the world that `npm run dev`
   * starts. None for a kind that no request makes.
   */
  example?: Example;
  /** An administrator who makes one names the tenant. */
  belongsToTenants?: true;
  /** A request for a change; one of labels unless said. */
  change?: Example;
  /** One of these as the API answers it, in few words. */
  answer: Example;
  /** OSAC has no such kind. Of all others docs/osac-compatibility.md has a table. */
  osacLacksIt?: true;
}

export type Documentations = { readonly [K in Kind]?: Documentation };

/** What the reference says of a kind. Throws Internal where the registry lacks it. */
export const documentationOf = (documentations: Documentations, kind: Kind): Documentation =>
  known(kind, documentations[kind]);

export type Example = Record<string, unknown>;

/** The id of most objects in examples. */
export const exampleId = "01a203c7-eebb-71de-8756-f310686dbe4b";

/** A reference, as an answer has it. */
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

/** The answer for an object of the provider's, whose id is its name unless said. */
export const ofProvider = (name: string, rest: Example): Example => ({
  ...{ id: name, metadata: metadata(name, "shared", "setup") },
  ...rest,
});
