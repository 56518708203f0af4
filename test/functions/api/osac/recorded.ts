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

/** An order as OSAC's documents have it. */
const cluster = (name: string, spec: object = {}): Request =>
  ann("POST", "clusters", {
    metadata: { name },
    spec: {
      template: { name: "ocp-small" },
      template_parameters: { owner: { "@type": `${protobuf}.StringValue`, value: "me" } },
      ...spec,
    },
  });
const listed = (filter: string): Request =>
  ann("GET", `clusters?filter=${encodeURIComponent(filter)}`);
/** As the installer seeds it. */
const version = (name: string, number: string, spec: object = {}): Request =>
  admin("POST", "cluster_versions", {
    metadata: { name },
    spec: { version: number, image: "quay.io/x/y:1", enabled: true, is_default: false, ...spec },
  });
/** One of each kind that is everybody's to read. */
const provided = {
  host_types: { metadata: { name: "tiny" }, title: "Tiny" },
  cluster_templates: {
    metadata: { name: "tiny" },
    node_sets: { workers: { host_type: { name: "small" }, size: 1 } },
  },
  cluster_versions: {
    metadata: { name: "4-19-0" },
    spec: { version: "4.19.0", image: "quay.io/x/y:1" },
  },
  roles: { metadata: { name: "tenant-user" }, spec: { title: "User" } },
};

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
    request: cluster("c", { node_sets: { workers: { size: "3" } } }),
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
  {
    row: "All kinds: `filter`",
    about: "a project that is not there equals no text",
    before: [cluster("one")],
    request: listed("this.metadata.project == ''"),
    peer: { status: 200, body: { total: 1 } },
  },
  {
    row: "All kinds: `filter`",
    about: "a project that is not there is unlike another",
    before: [cluster("one")],
    request: listed("this.metadata.project != 'x'"),
    peer: { status: 200, body: { total: 1 } },
  },
  {
    row: "All kinds: `filter`",
    about: "a label that is not there is unlike a text",
    before: [cluster("one")],
    request: listed("this.metadata.labels['zz'] != 'a'"),
    peer: { status: 200, body: { total: 1 } },
  },
  {
    row: "cluster_versions: `enabled`, `is_default`, `state`",
    about: "the default moves",
    request: version("4-19-0", "4.19.0", { is_default: true }),
    peer: { status: 200, body: { spec: { is_default: true } } },
  },
  {
    row: "cluster_versions: `enabled`, `is_default`, `state`",
    about: "the default that has moved",
    before: [version("4-19-0", "4.19.0", { is_default: true })],
    request: admin("GET", "cluster_versions/4-17-0"),
    // What is false is left out there.
    peer: { status: 200, without: ["spec.is_default"] },
    ours: { status: 200, body: { spec: { is_default: false } } },
  },
  {
    row: "cluster_versions: `version`",
    about: "once, whatever it is called",
    before: [version("d1", "8.8.8")],
    request: version("d2", "8.8.8"),
    peer: { status: 409, code: 6 },
  },
  {
    row: "cluster_versions: `id`",
    request: {
      ...version("4-19-0", "4.19.0"),
      body: { ...Object(version("4-19-0", "4.19.0").body), id: "x" },
    },
    peer: { status: 200 },
    ours: { status: 200, body: { id: "4-19-0" } },
  },
  ...(["host_types", "cluster_templates", "cluster_versions", "roles"] as const).flatMap(
    (kind): Recorded[] => {
      const path = `${publicly}/${kind}`;
      const row = "All kinds: public and private views";
      const about = "what the provider writes on public paths";
      const body = provided[kind];
      return [
        { row, about, request: { as: "admin", method: "POST", path, body }, peer: { status: 200 } },
        {
          row,
          about,
          request: { as: "amy", method: "POST", path, body },
          peer: { status: 403, code: 7 },
        },
      ];
    },
  ),
];
