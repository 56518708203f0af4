import { type Deployed, deployFunction, type Shared } from "./functions.ts";
import type { Network } from "./network.ts";

/** The function that machines call, and its URL. */
export interface SiteController {
  controller: Deployed;
  /** The URL for machines: `machines.url` of the sites. */
  url: $util.Output<string>;
}

/**
 * Puts a load balancer in the network of the sites in front of the function, since machines have neither a route to
 * the Internet nor an AWS identity. None where the stage's parameters have no machines.
 */
export function siteController(
  shared: Shared,
  network: Network | undefined,
): SiteController | undefined {
  const { parameters, prefix } = shared.stage;
  const { machines } = parameters;
  if (!machines) return undefined;
  const controller = deployFunction(shared, "site-controller", {
    description: "what machines ask and report",
    seconds: 29,
  });
  if (!network) return { controller, url: $util.output("") };
  const { certificate } = machines;
  const port = certificate === undefined ? 80 : 443;
  const door = new aws.ec2.SecurityGroup("SiteController", {
    name: `${prefix}-site-controller`,
    description: "from machines to the site controller",
    vpcId: network.vpc,
    ingress: [{ protocol: "tcp", fromPort: port, toPort: port, cidrBlocks: machines.from }],
  });
  const balancer = new aws.lb.LoadBalancer("SiteController", {
    internal: true,
    loadBalancerType: "application",
    subnets: network.subnets,
    securityGroups: [door.id],
  });
  const target = new aws.lb.TargetGroup("SiteController", {
    targetType: "lambda",
  });
  const permission = new aws.lambda.Permission("SiteControllerBalancer", {
    action: "lambda:InvokeFunction",
    function: controller.arn,
    principal: "elasticloadbalancing.amazonaws.com",
    sourceArn: target.arn,
  });
  new aws.lb.TargetGroupAttachment(
    "SiteController",
    { targetGroupArn: target.arn, targetId: controller.arn },
    { dependsOn: [permission] },
  );
  new aws.lb.Listener("SiteController", {
    loadBalancerArn: balancer.arn,
    port,
    protocol: certificate === undefined ? "HTTP" : "HTTPS",
    ...(certificate !== undefined && {
      certificateArn: certificate,
      sslPolicy: "ELBSecurityPolicy-TLS13-1-2-2021-06",
    }),
    defaultActions: [{ type: "forward", targetGroupArn: target.arn }],
  });
  const scheme = certificate === undefined ? "http" : "https";
  return { controller, url: $interpolate`${scheme}://${balancer.dnsName}` };
}
