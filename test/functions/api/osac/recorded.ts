/**
 * What OSAC's server (August 2026, built and run) answered to requests, and where Slipway answers
 * otherwise. Every case names the row of docs/osac-compatibility.md that tells of it.
 */

export interface Request {
  /** Who asks: the provider's administrator, a user of a tenant, its administrator, or nobody. */
  as: "admin" | "ann" | "amy" | "nobody";
  method: "GET" | "POST" | "PATCH" | "DELETE" | "OPTIONS";
  /** Below the server; `{id}` is that of what the last request before made. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Told {
  status: number;
  /** Of an error, as gRPC numbers it. */
  code?: number;
  /** Members of the answer. */
  body?: object;
  /** Members, by their paths, that the answer does not have. */
  without?: string[];
}

export interface Recorded {
  /** `section: first cell` of its row. */
  row: string;
  /** What it is about, where its row has several. */
  about?: string;
  before?: Request[];
  request: Request;
  peer: Told;
  /** Where it is not as the peer's. */
  ours?: Told;
}

const privately = "/api/private/v1";
const publicly = "/api/fulfillment/v1";
const protobuf = "type.googleapis.com/google.protobuf";

const admin = (method: Request["method"], path: string, body?: unknown): Request => ({
  as: "admin",
  method,
  path: `${privately}/${path}`,
  ...(body === undefined ? {} : { body }),
});
const ann = (method: Request["method"], path: string, body?: unknown): Request => ({
  as: "ann",
  method,
  path: `${publicly}/${path}`,
  ...(body === undefined ? {} : { body }),
});

/** A template as OSAC's publisher sends it. */
const published = (parameters: unknown[], more: object = {}) =>
  admin("POST", "cluster_templates", {
    id: "osac.templates.ocp_tiny",
    title: "Tiny",
    description: "One node",
    parameters,
    node_sets: { small: { host_type: { name: "small" }, size: 1 } },
    ...more,
  });

/** As the tables of the comparison have them, row by row. */
export const recorded: Recorded[] = [
  {
    row: "All kinds: `metadata.name`",
    about: "the installer's host type, named by its id",
    request: admin("POST", "host_types", {
      id: "ci-worker",
      title: "CI Worker",
      description: "Worker nodes for CI testing",
    }),
    peer: { status: 200, body: { id: "ci-worker", metadata: { name: "ci-worker" } } },
  },
  {
    row: "All kinds: `metadata.name`",
    about: "the publisher's template, named by its id",
    request: published([]),
    peer: {
      status: 200,
      body: { id: "osac.templates.ocp_tiny", metadata: { name: "ocp-tiny" } },
    },
  },
  {
    row: "All kinds: field names in bodies",
    about: "null within lists",
    request: published([
      {
        name: "p",
        title: null,
        description: null,
        type: `${protobuf}.StringValue`,
        default: null,
      },
    ]),
    peer: { status: 200, body: { parameters: [{ name: "p" }] }, without: ["parameters.0.title"] },
  },
  {
    row: "All kinds: field names in bodies",
    about: "null of what is not known",
    request: admin("POST", "host_types", { metadata: { name: "x" }, nonsense: null }),
    peer: { status: 400, code: 3 },
  },
  {
    row: "All kinds: field names in bodies",
    about: "integers as JSON text",
    request: ann("POST", "clusters", {
      metadata: { name: "c" },
      spec: {
        template: { name: "ocp-small" },
        template_parameters: { owner: { "@type": `${protobuf}.StringValue`, value: "me" } },
        node_sets: { workers: { size: "3" } },
      },
    }),
    peer: { status: 200, body: { spec: { node_sets: { workers: { size: 3 } } } } },
  },
  ...[
    ["lists and objects", "Value", ["a", { b: 1 }]],
    ["bytes", "BytesValue", "YWJj"],
  ].map(
    ([about, type, value]): Recorded => ({
      row: "cluster_templates: `parameters[].type`",
      about: `the publisher's type of ${about}`,
      request: published([
        {
          name: "p",
          type: `${protobuf}.${type}`,
          default: { "@type": `${protobuf}.${type}`, value },
        },
      ]),
      peer: { status: 200, body: { parameters: [{ default: { value } }] } },
    }),
  ),
];
