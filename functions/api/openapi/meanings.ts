import { type Kind, typeNameOf } from "../../../core/kernel/object/object.ts";
import { documentationOf } from "../../../core/kernel/request/documentation.ts";
import { documentations } from "../../../core/resources/generated/documentations.ts";
import { kindNames } from "../registry.ts";
import type { Description } from "./schemas.ts";

/** The description of each schema of the document. */

/** The schemas, each beginning with its description. Throws for a schema without one. */
export const withMeanings = (schemas: Record<string, Description>): Record<string, Description> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { description: meaningOf(name), ...schema },
    ]),
  );

/** A kind with its article, such as `an external ip pool`. */
const oneOf = (kind: Kind): string =>
  `${/^[aeio]/.test(kind) ? "an" : "a"} ${kind
    .replaceAll("_", " ")
    .replace(/\bip\b/, "IP")
    .replace("nat ", "NAT ")
    .replace(/^dpu$/, "DPU")}`;

const ofKinds = new Map(
  kindNames.flatMap((kind) => {
    const type = typeNameOf(kind);
    const one = oneOf(kind);
    const { meaning } = documentationOf(documentations, kind);
    const answered = `${one[0]?.toUpperCase()}${one.slice(1)}, as answered`;
    return [
      [type, `${answered}. ${meaning}`],
      [`Private${type}`, `${answered} to the provider. ${meaning}`],
      [`${type}Input`, `The input for ${one}.`],
      [`${type}Change`, `A change of ${one}; members left out stay unchanged.`],
    ] as const;
  }),
);

const others: Record<string, string> = {
  AuditChain: "A chain of the audit: its length, and the digest of its last entry.",
  AuditEntry: "A request: who sent it, from where, and its result.",
  BaremetalInstanceBatch: "Several servers that are ordered at once: all of them or none.",
  BaremetalInstanceConsent: "When a server may be off for maintenance.",
  BaremetalInstanceForce: "The forced removal of an unreachable server.",
  BaremetalInstanceRelease: "The fault of a server that its tenant releases.",
  Capabilities: "The operations of this deployment, and the issuers of accepted tokens.",
  Capacity: "The resources that run out next, and how many operations wait for them.",
  Credential: "A certificate that was issued for a cluster; neither it nor its key is shown again.",
  CredentialRequest: "The key to certify, as a signing request.",
  Delivery: "An event for a webhook: its attempts, and the last answer.",
  DrainPlan: "The clusters and servers of a hub, and hubs with room for them.",
  Empty: "An object without members.",
  Event: "A change, as a CloudEvent.",
  HistoryEntry: "A past event of an object, and who caused it.",
  Holding: "The owner of a number, address, name or host.",
  HostHealth: "A source's report on a host's health.",
  HostMaintain: "Why a host is taken out of the pool.",
  HostOverride: "An administrator's override of a host's health.",
  HubReport: "The changes that a hub's agent has seen.",
  Id: "The id of an object.",
  IssuedCredential: "A new certificate, with its kubeconfig.",
  Metadata: "The name, labels, tenant and version of an object.",
  MetadataChange: "A change of an object's metadata; members left out stay unchanged.",
  MetadataInput: "The metadata of a new object; members that the API sets are ignored.",
  Problem: "Why a request was refused (RFC 9457).",
  Reference: "Another object, by its id and its name.",
  ReferenceInput: "Another object, by its id or its name.",
  Revocation: "The progress of revoking the certificates of a cluster.",
  SiteNumbers: "A page of the numbers of a site's pool, each with its owner.",
  Status: "The state of everything at once.",
  Switch: "A switch: whether it is paused, since when, by whom and why.",
  Wait: "A wait: its cause, its start and its message.",
  WatchEvent: "An event in a watch.",
  WebhookReplay: "The events to deliver again.",
};

function meaningOf(name: string): string {
  const listed = name.endsWith("List") ? name.slice(0, -"List".length) : undefined;
  const meaning = ofKinds.get(name) ?? others[name];
  if (meaning !== undefined) return meaning;
  if (listed === undefined) throw new Error(`the schema ${name} has no description`);
  return `A page of a list. ${meaningOf(listed)}`;
}
