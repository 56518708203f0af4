import * as z from "zod";
import { certificatesEnd, tokenEnd } from "../../ending.ts";
import { AppError, type Violation } from "../../error.ts";
import { hostFault } from "../../kernel/input/address.ts";
import { parseYaml } from "../../kernel/input/yaml.ts";
import type { Connection } from "./connection.ts";

/** Tools leave entries that have only a name. */
const members = z.record(z.string(), z.unknown()).nullish();

/** Like kubectl, requires only the names of other contexts' entries. */
const kubeconfigSchema = z.object({
  "current-context": z.string().nullish(),
  contexts: z.array(z.object({ name: z.string(), context: members })).min(1),
  clusters: z.array(z.object({ name: z.string(), cluster: members })),
  users: z.array(z.object({ name: z.string(), user: members })),
});
const contextSchema = z.object({ cluster: z.string(), user: z.string() });
type Kubeconfig = z.infer<typeof kubeconfigSchema>;

const noFiles = "names a file of another machine: give the content, in the member ending in -data";

/** Refused members: honouring them would run commands, read files or skip verification. */
const refusedOfCluster: Record<string, string> = {
  "certificate-authority": noFiles,
  "insecure-skip-tls-verify": "the server's certificate is always verified",
  "proxy-url": "proxies are not used",
};
const refusedOfUser: Record<string, string> = {
  exec: "commands are not run: give a token or a client certificate",
  "auth-provider": "plugins are not run: give a token or a client certificate",
  tokenFile: "names a file of another machine: give the token itself",
  "client-certificate": noFiles,
  "client-key": noFiles,
  username: "passwords are not sent: give a token or a client certificate",
  password: "passwords are not sent: give a token or a client certificate",
  as: "impersonation is not supported",
  "as-uid": "impersonation is not supported",
  "as-groups": "impersonation is not supported",
  "as-user-extra": "impersonation is not supported",
};

/**
 * Like `parseKubeconfig`, for the kubeconfig of a hosted cluster, which its hub has made. Throws Rejected.
 */
export function hostedConnection(kubeconfig: string): Connection {
  try {
    return parseKubeconfig(kubeconfig);
  } catch (error) {
    const message = "the hosted cluster's kubeconfig cannot be used";
    throw new AppError("Rejected", message, { cause: error });
  }
}

/**
 * The connection of a kubeconfig's current context (YAML or JSON). Throws Invalid with a violation for each
 * malformed or refused member, such as `users[0].user.exec`; never quotes values.
 */
export function parseKubeconfig(text: string): Connection {
  const violations: Violation[] = [];
  const kubeconfig = read(text);
  const context = currentContext(kubeconfig);

  const c = kubeconfig.clusters.findIndex(({ name }) => name === context.cluster);
  const u = kubeconfig.users.findIndex(({ name }) => name === context.user);
  const cluster = new Section(
    kubeconfig.clusters[c]?.cluster,
    `clusters[${c}].cluster`,
    violations,
  );
  const user = new Section(kubeconfig.users[u]?.user, `users[${u}].user`, violations);
  if (c < 0) violations.push({ field: "clusters", message: `has no '${context.cluster}'` });
  if (u < 0) violations.push({ field: "users", message: `has no '${context.user}'` });
  cluster.refuse(refusedOfCluster);
  user.refuse(refusedOfUser);

  const connection: Connection = defined({
    server: cluster.server("server"),
    ca: cluster.pem("certificate-authority-data"),
    serverName: cluster.text("tls-server-name", /^[A-Za-z0-9.:-]+$/, "must be a host name"),
    token: user.text("token", /^[\x21-\x7e]+$/, "must be a bearer token"),
    clientCertificate: user.pem("client-certificate-data"),
    clientKey: user.pem("client-key-data"),
  });
  if (violations.length === 0) user.requireCredentials(connection);
  if (violations.length > 0) throw invalid(violations);
  return connection;
}

function read(text: string): Kubeconfig {
  const {
    documents: [document],
    errors: [error],
  } = parseYaml(text);
  if (error) throw invalid([{ field: "", message: `is not YAML: line ${error.line}` }]);
  return checked(kubeconfigSchema, document?.value, "");
}

/** Parses `value` by the schema. Throws Invalid, with paths that begin with `prefix`. */
function checked<T>(schema: z.ZodType<T>, value: unknown, prefix: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const pathOf = (path: PropertyKey[]) =>
    path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  throw invalid(
    parsed.error.issues.map(({ path, message }) => ({
      field: `${prefix}${pathOf(path)}`.replace(/^\./, ""),
      message,
    })),
  );
}

function currentContext(kubeconfig: Kubeconfig): { cluster: string; user: string } {
  const { contexts, "current-context": current } = kubeconfig;
  const chosen =
    !current && contexts.length === 1 ? 0 : contexts.findIndex(({ name }) => name === current);
  if (chosen >= 0) {
    return checked(contextSchema, contexts[chosen]?.context ?? {}, `contexts[${chosen}].context`);
  }
  const message = current
    ? `has no context '${current}'`
    : "is needed to choose between the contexts";
  throw invalid([{ field: "current-context", message }]);
}

/** When the client certificate or the token expires, whichever is first; undefined if neither says so. */
export function credentialsEnd({ clientCertificate, token }: Connection): string | undefined {
  const ends = [
    clientCertificate === undefined ? undefined : certificatesEnd(clientCertificate),
    token === undefined ? undefined : tokenEnd(token),
  ];
  return ends.filter((end) => end !== undefined).sort()[0];
}

/** The members of one cluster or user; collects their faults in `violations`. */
class Section {
  readonly #members: Record<string, unknown>;
  readonly #path: string;
  readonly #violations: Violation[];

  constructor(
    members: Record<string, unknown> | null | undefined,
    path: string,
    violations: Violation[],
  ) {
    this.#members = members ?? {};
    this.#path = path;
    this.#violations = violations;
  }

  refuse(refused: Record<string, string>): void {
    for (const [member, message] of Object.entries(refused)) {
      if (this.#has(member)) this.#violate(member, message);
    }
  }

  text(member: string, pattern: RegExp, message: string): string | undefined {
    if (!this.#has(member)) return undefined;
    const value = this.#members[member];
    if (typeof value === "string" && pattern.test(value)) return value;
    this.#violate(member, message);
    return undefined;
  }

  /** Decodes the text from base64. */
  pem(member: string): string | undefined {
    const encoded = this.text(member, /^[A-Za-z0-9+/\s]+={0,2}\s*$/, "must be PEM in base64");
    if (encoded === undefined) return undefined;
    const pem = Buffer.from(encoded, "base64").toString();
    if (!/^-----BEGIN [A-Z ]+-----$/m.test(pem)) this.#violate(member, "must be PEM in base64");
    return pem;
  }

  /** The URL without a slash at the end. */
  server(member: string): string {
    const value = this.#members[member];
    const url = typeof value === "string" ? URL.parse(value) : null;
    if (url?.protocol !== "https:" || url.username || url.password || url.search || url.hash) {
      this.#violate(member, "must be a URL such as https://api.hub.example.com:6443");
      return "";
    }
    const fault = hostFault(String(value));
    if (fault !== undefined) this.#violate(member, fault);
    return url.href.replace(/\/+$/, "");
  }

  requireCredentials({ token, clientCertificate, clientKey }: Connection): void {
    const half = (clientCertificate === undefined) !== (clientKey === undefined);
    if (half) {
      const missing = clientKey === undefined ? "client-key-data" : "client-certificate-data";
      this.#violate(missing, "is needed as well: a certificate and its key go together");
    } else if (token === undefined && clientCertificate === undefined) {
      this.#violate("token", "is needed, or a client certificate and its key");
    }
  }

  /** Tools write empty members for unset ones. */
  #has(member: string): boolean {
    const value = this.#members[member];
    return value !== undefined && value !== null && value !== "" && value !== false;
  }

  #violate(member: string, message: string): void {
    this.#violations.push({ field: `${this.#path}.${member}`, message });
  }
}

/** The object without its undefined members. */
function defined<T extends object>(object: T): T {
  // Only undefined members are dropped, and every optional member of T may be absent.
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

function invalid(violations: Violation[]): AppError {
  return new AppError("Invalid", "the kubeconfig cannot be used", { violations });
}
