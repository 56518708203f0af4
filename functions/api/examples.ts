import {
  type Documentation,
  documentationOf,
  type Example,
} from "../../core/kernel/request/documentation.ts";
import type { Area, Verb } from "../../core/kernel/request/permissions.ts";
import { documentations } from "../../core/resources/generated/documentations.ts";
import type { Subject } from "./permissions.ts";
import { isKind } from "./registry.ts";

/** Example bodies: those in the folders of kinds, and those of verbs that are not about one kind. */

const others: Partial<Record<Verb | `${Subject} ${Verb}`, Example>> = {
  // The request is for a user named ann.
  issue: {
    csr: [
      "-----BEGIN CERTIFICATE REQUEST-----",
      "MIH9MIGlAgEAMEMxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMSgwJgYDVQQDDB9z",
      "eXN0ZW06Y3VzdG9tZXItYnJlYWstZ2xhc3M6YW5uMFkwEwYHKoZIzj0CAQYIKoZI",
      "zj0DAQcDQgAEsrER/ND4jR9jai0MpvYPF9+q6OcA7x0S7IoD+cut6iQq/EL4AEuU",
      "Z4AszQEPWm7Q8mEbtzrN0j5nJNHrEd7PVqAAMAoGCCqGSM49BAMCA0cAMEQCIGEK",
      "CUofa6C/9By4Z05bFs0VQblYSUQIHZ8t+RT5310xAiAbykzC2XsQdYNUh/VvgmRQ",
      "UjFuVkfRz2pnGPZpqZUFOQ==",
      "-----END CERTIFICATE REQUEST-----",
    ].join("\n"),
  },
  "baremetal_instance batch": {
    items: ["db-1", "db-2"].map((name) => ({
      metadata: { name },
      spec: {
        catalog_item: { name: "rhel-server" },
        ssh_public_key:
          "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPtStuO8Ud5lKNpTXbrXuTUgoQ3rKM/wEJX1o7WQTJHk me",
        network_attachments: [{ subnet: { name: "web" } }],
      },
    })),
  },
  report: { heartbeat: true, news: [] },
};

export function exampleOf(area: Area, subject: Subject, verb: Verb): Example {
  const { example, change, belongsToTenants }: Partial<Documentation> = isKind(subject)
    ? documentationOf(documentations, subject)
    : {};
  if (verb === "update") return change ?? { metadata: { labels: { team: "blue" } } };
  if (verb !== "create") return others[`${subject} ${verb}`] ?? others[verb] ?? {};
  if (area === "public" || !belongsToTenants) return example ?? {};
  return { ...example, metadata: { ...Object(example?.metadata), tenant: "tenant-a" } };
}
