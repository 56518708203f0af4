import { gateways, servicesInNetwork } from "../endpoints.ts";
import type { HubParameters, Parameters } from "../parameters.ts";
import type { Stage } from "./stage.ts";

/** The network of the hub and site workers, with its connections to AWS and to hubs. */
export interface Network {
  vpc: $util.Input<string>;
  subnets: $util.Input<string>[];
  hubs: aws.ec2.SecurityGroup;
  sites: aws.ec2.SecurityGroup;
  /** The name for each hub's kubeconfig; none for hubs that are reached by routes. */
  names: Record<string, $util.Output<string>>;
}

interface Place {
  vpc: $util.Input<string>;
  subnets: $util.Input<string>[];
  routeTables: $util.Input<string>[];
}

/** HTTPS and the default port of Kubernetes. */
const hubPorts = [443, 6443];

export function network(stage: Stage): Network {
  const { parameters, prefix } = stage;
  const place = placeOf(stage);
  const hubs = group("Hubs", `${prefix}-hubs`, place, hubPorts);
  const sites = group("Sites", `${prefix}-sites`, place);
  const { network } = parameters;
  if (network.vpc === "own" || network.endpoints === "own") endpoints(stage, place, [hubs, sites]);
  const { vpc, subnets } = place;
  return { vpc, subnets, hubs, sites, names: hubNames(parameters, place, hubs) };
}

/** The settings of a function in the network, with this security group. */
export const vpcOf = ({ subnets }: Network, { id }: aws.ec2.SecurityGroup) => ({
  vpc: { privateSubnets: subnets, securityGroups: [id] },
});

function placeOf({ parameters: { network }, prefix }: Stage): Place {
  if (network.vpc === "given") {
    return { vpc: network.id, subnets: network.subnets, routeTables: network.routeTables };
  }
  const vpc = new aws.ec2.Vpc("Vpc", {
    cidrBlock: "10.96.0.0/20",
    enableDnsHostnames: true,
    enableDnsSupport: true,
    tags: { Name: prefix },
  });
  const table = new aws.ec2.RouteTable("Routes", { vpcId: vpc.id, tags: { Name: prefix } });
  const zones = aws.getAvailabilityZonesOutput({ state: "available" }).names;
  const subnets = Array.from({ length: network.zones }, (_, n) => {
    const subnet = new aws.ec2.Subnet(`Subnet${n}`, {
      vpcId: vpc.id,
      cidrBlock: `10.96.${n * 4}.0/22`,
      availabilityZone: zones.apply((names) => names[n] ?? ""),
      tags: { Name: `${prefix}-${n}` },
    });
    new aws.ec2.RouteTableAssociation(`Routes${n}`, {
      subnetId: subnet.id,
      routeTableId: table.id,
    });
    return subnet.id;
  });
  return { vpc: vpc.id, subnets, routeTables: [table.id] };
}

/** A security group without inbound rules. Outbound it allows these ports, or all TCP ports when none are named. */
export function group(
  name: string,
  full: string,
  { vpc }: Pick<Network, "vpc">,
  ports?: number[],
): aws.ec2.SecurityGroup {
  const ranges = ports?.map((port) => [port, port]) ?? [[1, 65_535]];
  return new aws.ec2.SecurityGroup(name, {
    name: full,
    description: `ways of ${name.toLowerCase()}`,
    vpcId: vpc,
    egress: ranges.map(([from = 0, to = 0]) => ({
      protocol: "tcp",
      fromPort: from,
      toPort: to,
      cidrBlocks: ["0.0.0.0/0"],
    })),
  });
}

/** A security group of a service that the workers' groups may reach. */
function door(name: string, { vpc }: Place, from: aws.ec2.SecurityGroup[], ports: number[]) {
  return new aws.ec2.SecurityGroup(name, {
    description: `from workers to ${name}`,
    vpcId: vpc,
    ingress: ports.map((port) => ({
      protocol: "tcp",
      fromPort: port,
      toPort: port,
      securityGroups: from.map(({ id }) => id),
    })),
  });
}

function endpoints(stage: Stage, place: Place, from: aws.ec2.SecurityGroup[]): void {
  const { id } = door("Services", place, from, [443]);
  for (const service of servicesInNetwork) {
    new aws.ec2.VpcEndpoint(`Endpoint-${service}`, {
      vpcId: place.vpc,
      serviceName: $interpolate`com.amazonaws.${stage.region}.${service}`,
      ...(gateways.includes(service)
        ? { vpcEndpointType: "Gateway", routeTableIds: place.routeTables }
        : {
            vpcEndpointType: "Interface",
            subnetIds: place.subnets,
            securityGroupIds: [id],
            privateDnsEnabled: true,
          }),
    });
  }
}

function hubNames({ hubs }: Parameters, place: Place, from: aws.ec2.SecurityGroup) {
  const ways = hubs.filter(({ reach }) => reach.by !== "routes");
  if (ways.length === 0) return {};
  const doorway = door("HubDoors", place, [from], hubPorts);
  return Object.fromEntries(ways.map((hub) => [hub.id, wayTo(hub, place, doorway)]));
}

function wayTo({ id, reach }: HubParameters, place: Place, doorway: aws.ec2.SecurityGroup) {
  const endpoint = new aws.ec2.VpcEndpoint(`Hub-${id}`, {
    vpcId: place.vpc,
    subnetIds: place.subnets,
    securityGroupIds: [doorway.id],
    tags: { Name: `hub ${id}` },
    ...(reach.by === "privatelink"
      ? { vpcEndpointType: "Interface", serviceName: reach.service }
      : {}),
    ...(reach.by === "lattice"
      ? { vpcEndpointType: "Resource", resourceConfigurationArn: reach.resourceConfiguration }
      : {}),
  });
  return endpoint.dnsEntries.apply((entries) => entries?.[0]?.dnsName ?? "");
}
