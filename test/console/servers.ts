import { type DevProcess, operationIn, until } from "../support/dev-process.ts";
import { sshKey } from "../support/orders.ts";

/** What there is of tenants' servers in the world in which screens are looked at. Ids. */
export interface Servers {
  runningServer: string;
  /** The fabric has refused to take it into its network. */
  failedServer: string;
  /** The fabric refuses to let it go. */
  stuckServer: string;
  /** It waits for the fabric. */
  waitingServer: string;
}

export const noServers: Servers = {
  ...{ runningServer: "", failedServer: "", stuckServer: "", waitingServer: "" },
};

/** Orders a server of tenant-a into the subnet that is seen. Answers its id, and that of the operation. */
async function orderServer({ api }: DevProcess, name: string, spec: object = {}) {
  const { status, body, headers } = await api("POST", "baremetal_instances", {
    metadata: { name },
    spec: {
      ...{ catalog_item: { id: "rhel-server" }, network_attachments: [{ subnet: "seen" }] },
      ...{ ssh_public_key: sshKey("ann"), ...spec },
    },
  });
  if (status !== 200) throw new Error(`the server was refused: ${JSON.stringify(body)}`);
  return { id: String(body.id), operation: operationIn(headers) };
}

/** A server that runs. */
export async function running(process: DevProcess, name: string, spec: object): Promise<string> {
  const { id, operation } = await orderServer(process, name, spec);
  await process.succeeded(operation);
  return id;
}

/** A server that the fabric has refused to take into its network. */
export async function failedServer(process: DevProcess, name: string): Promise<string> {
  const { sim, ended } = process;
  const fault = { target: "fabric", operation: "POST /v2.0/ports", fault: "error", status: 400 };
  await sim("POST", "faults", fault);
  const { id, operation } = await orderServer(process, name);
  const { status } = await ended(operation);
  if (status.state !== "OPERATION_STATE_FAILED") throw new Error(JSON.stringify(status));
  await sim("DELETE", "faults");
  return id;
}

/** A server that waits for the fabric, which is unreachable. */
export async function waitingServer(process: DevProcess, name: string): Promise<string> {
  const { id } = await orderServer(process, name);
  await until(async () => {
    const { waiting } = (await process.api("GET", `baremetal_instances/${id}`)).body.status;
    return waiting?.[0]?.system === "fabric";
  }, "a server that waits for the fabric");
  return id;
}

/** A host as its provider registers it. */
type NewHost = { name: string; hub: string; host_type: string; nics: object[]; bmc: object };

/** Adds a server that is off to the world. Answers its host, which Slipway does not know yet. */
export async function addServer(
  { sim }: DevProcess,
  name: string,
  number: number,
): Promise<NewHost> {
  const nic = {
    ...{ name: "eno1", mac: `52:54:00:98:00:0${number}` },
    ...{ switch: "leaf-a1", port: `Ethernet8/${number}` },
  };
  const address = `redfish-virtualmedia://192.168.98.${number}/redfish/v1/Systems/System.Embedded.1`;
  const host = { name, hub: "hub-a", host_type: "fc430", nics: [nic], bmc: { address } };
  const { status, body } = await sim("POST", "hosts", { ...host, server: { vendor: "dell" } });
  if (status !== 201) throw new Error(`the world has no such server: ${JSON.stringify(body)}`);
  return host;
}

/** Has Slipway know a host of the world, and discover it with the password of its controller. Answers its id. */
export async function register(
  { admin }: DevProcess,
  { name, bmc, ...host }: NewHost,
  password = "calvin-and-hobbes",
): Promise<string> {
  const login = { username: "slipway", password };
  const spec = { ...host, bmc: { ...bmc, ...login } };
  const { status, body } = await admin("POST", "hosts", { metadata: { name }, spec });
  if (status !== 200) throw new Error(`the host was refused: ${JSON.stringify(body)}`);
  return String(body.id);
}
