/**
 * What is typed for the snapshots, chapter by chapter, in one world: each command of the program at least once.
 * `alice` and `bob` are tenants' people, `nobody` is logged in, the others are the provider's. `{operation}` is the last one that was named,
 * `{folder}` a new one; files such as `host.json` have the document's own example of the kind.
 */
export type Line = readonly [line: string, as?: "alice" | "bob" | "nobody"];

const lines = (text: string): Line[] =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [, as, rest = ""] = /^ *(?:(alice|bob|nobody): )?(.*)$/.exec(line) ?? [];
      return as === "alice" || as === "bob" || as === "nobody" ? [rest, as] : [rest];
    });

/** What every kind has. */
const objects = (kind: string, name: string): string => `
  ${kind} create --from ${kind}.json
  ${kind} list --limit 2
  ${kind} get ${name}
  ${kind} update ${name} --set metadata.labels.team=blue
  ${kind} delete ${name} --dry-run`;

export const story: Record<string, Line[]> = {
  catalog: lines(`
    ${objects("host-type", "gpu")}
    ${objects("cluster-version", "4-19-0")}
    cluster-version create 4-17-9 --version 4.17.9 --image quay.io/openshift-release-dev/ocp-release:4.17.9-multi --dry-run
    ${objects("cluster-template", "two-workers")}
    template init {folder}/mine --host-type fc430
    template validate {folder}/mine
    template publish {folder}/mine
    ${objects("cluster-catalog-item", "small-cluster")}
    ${objects("bare-metal-instance-type", "bm-large")}
    baremetal-instance-template create rhel-2 --host-type big --set spec_defaults.image.source_type=registry --set spec_defaults.image.source_ref=quay.io/images/rhel:9.6
    baremetal-instance-template list
    baremetal-instance-template get rhel-2
    baremetal-instance-template update rhel-2 --title Linux
    baremetal-instance-template delete rhel-2 --dry-run
    baremetal-instance-catalog-item create rhel-2 --template rhel-2 --published
    baremetal-instance-catalog-item list
    baremetal-instance-catalog-item get rhel-2
    baremetal-instance-catalog-item update rhel-2 --published false
    baremetal-instance-catalog-item delete rhel-2 --yes
    ${objects("network-class", "dedicated")}
    cluster-template delete nothing --yes
  `),
  tenants: lines(`
    ${objects("tenant", "tenant-c")}
    ${objects("project", "shop")}
    alice: project create web
    ${objects("project-membership", "web-team")}
    role create support --grants tenant-user
    ${objects("role", "operators")}
    ${objects("role-binding", "web-team")}
    ${objects("user", "ann")}
    ${objects("quota", "of-the-tenant")}
    ${objects("identity-provider", "company")}
    ${objects("secret", "registry")}
    ${objects("webhook", "portal")}
    webhook test portal
    webhook deliveries portal
    webhook replay portal --time 2026-01-01T00:00:00Z
    webhook rotate-secret portal
    webhook update portal --set spec.secret=whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0
    webhook update portal --enabled false
    webhook test portal
    webhook delete portal --yes
    alice: tenant list
  `),
  networks: lines(`
    alice: virtual-network create other --ipv4-cidr 10.20.0.0/16 --ipv6-cidr fd00:20::/48 --dry-run
    alice: virtual-network create office --ipv4-cidr 10.30.0.0/16 --wait
    alice: virtual-network list
    alice: virtual-network history office
    alice: virtual-network get office
    alice: virtual-network update office --set metadata.labels.team=blue
    alice: virtual-network retry office
    alice: subnet create desks --virtual-network office --ipv4-cidr 10.30.1.0/24 --wait
    alice: subnet list -o wide
    alice: subnet get desks
    alice: subnet history desks
    alice: subnet update desks --set metadata.labels.team=blue
    alice: subnet retry desks
    alice: security-group create desks --virtual-network office
    alice: security-group list
    alice: security-group get desks
    alice: security-group history desks
    alice: security-group update desks --set 'spec.egress=[{protocol: PROTOCOL_ALL, ipv4_cidr: 0.0.0.0/0}]' --wait
    alice: security-group retry desks
    alice: security-group delete desks --yes --wait
    alice: virtual-network delete office --yes
    external-ip-pool create outside --from external-ip-pool.json --set spec.rest_minutes=0
    external-ip-pool create more --from external-ip-pool.json
    external-ip-pool create more --from external-ip-pool.json --set 'spec.cidrs=[203.0.113.80/28]'
    external-ip-pool list
    external-ip-pool get more
    external-ip-pool update more --set metadata.labels.team=blue
    external-ip-pool delete more --yes
    alice: external-ip create front --pool outside --wait
    alice: external-ip list
    alice: external-ip get front
    alice: external-ip update front --set metadata.labels.team=blue
    alice: nat-gateway create exit --virtual-network office --external-ip front --wait
    alice: nat-gateway list
    alice: nat-gateway get exit
    alice: nat-gateway history exit
    alice: nat-gateway update exit --set metadata.labels.team=blue
    alice: nat-gateway retry exit
    alice: external-ip delete front --yes
    alice: nat-gateway delete exit --yes --wait
    alice: external-ip create in --pool outside --wait
    alice: external-ip create in --pool nowhere
    alice: subnet delete desks --yes --wait
  `),
  clusters: lines(`
    alice: cluster create demo --template ocp_4_17_small --nodes workers=3 --dry-run
    cluster create demo --tenant tenant-a --template ocp_4_17_small --wait
    alice: cluster create demo --template nothing
    alice: cluster list
    alice: cluster list --watch
    alice: clusters list --filter 'this.status.state == "CLUSTER_STATE_READY"' --order 'metadata.name desc' --fields metadata.name,status.state
    cluster list -o wide
    alice: cluster get demo
    alice: cluster get demo -o name
    alice: cluster get nothing
    alice: cluster describe demo
    alice: cluster events demo
    alice: cluster history demo
    alice: cluster open demo
    alice: cluster open demo --order
    alice: cluster upgrades demo
    alice: cluster kubeconfig demo
    alice: cluster password demo
    alice: cluster issue-credential demo
    alice: cluster issue-credential demo --set csr=@alice.csr
    alice: cluster issue-credential demo --set csr=@alice.csr -o json
    alice: cluster credentials demo
    alice: cluster revoke-credentials demo --yes
    alice: cluster retry demo
    alice: external-ip-attachment create front --external-ip front --cluster demo --target-endpoint EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS --wait
    alice: external-ip-attachment list
    alice: external-ip-attachment get front
    alice: external-ip-attachment history front
    alice: external-ip-attachment update front --set metadata.labels.team=blue
    alice: external-ip-attachment retry front
    alice: external-ip-attachment delete front --yes --wait
    alice: external-ip delete front --yes --wait
    alice: cluster update demo --set metadata.labels.team=blue
    alice: cluster upgrade demo 4-18-1 --dry-run
    alice: cluster scale demo workers=many
    alice: cluster scale demo workers=3
    alice: operation get {operation}
    alice: operation watch {operation} --timeout 1s
    alice: operation cancel {operation}
    alice: operation watch {operation} --timeout 30m
    alice: operation list --limit 2
    operation list --stuck
    operation list --waiting-for hub
    alice: operation resume {operation}
    status
    capacity
    capabilities
    health
    who vlan 100
    who vlan 107
    who ip 203.0.113.1
    event watch --tenant tenant-a
    event watch --filter 'event.type == "slipway.cluster.ready.v1"'
    audit search --object cluster/demo --since 2h --limit 3
    bob: cluster list
    alice: cluster delete demo --yes --wait
  `),
  servers: lines(`
    alice: server create web --catalog-item rhel --subnet shop-web --ssh-key key.pub --dry-run
    alice: server create web --catalog-item rhel --subnet shop-web --ssh-key key.pub --wait
    alice: server list
    alice: server get web
    alice: server history nothing
    alice: server update web --set metadata.labels.team=blue
    alice: server update web --subnet shop-web --dry-run
    alice: server restart web --wait
    alice: server stop web --dry-run
    alice: server start web
    alice: server reinstall web --yes --wait
    alice: server maintenance web
    alice: server maintenance web --consent now
    alice: server maintenance web --consent window --from 2026-12-01T22:00:00Z --until 2026-12-02T04:00:00Z
    alice: server retry web
    alice: server batch --from baremetal-instance-batch.json --dry-run
    alice: server delete web --dry-run
    alice: server release web --yes --set 'issue={category: hardware, summary: slow}'
    server force web --yes --is-off false --wait
    host list --limit 2
    host get server-1
    host history server-1
    host create --from host.json
    host import hosts.yaml
    host update server-1 --set metadata.labels.team=blue
    host report-health server-1 --source dcgm --set 'alerts=[{id: fan, message: it stands, classifications: [prevents_allocation]}]'
    host health server-1
    host override-health server-1 --source dcgm --mode replace --set 'alerts=[]'
    host health fc430-a-01
    host validate server-1
    host maintain fc430-a-01 --tenant-message 'a fan is to be replaced'
    host replace fc430-a-02 --timeout 2h
    host release fc430-a-01
    host reprovision fc430-a-03 --yes
    host update-firmware fc430-a-03
    host retry fc430-a-03
    host retire fc430-a-04 --yes
    host delete fc430-a-04 --yes
    ${objects("allocation", "training")}
    allocation delete training --yes
    dpu create --from dpu.json
    dpu list
    dpu get server-2-dpu-0
    dpu history server-2-dpu-0
    dpu get nothing
    dpu update server-2-dpu-0 --set metadata.labels.team=blue
    dpu create --from dpu.json --set spec.host=server-2 --set 'spec.ports=[{name: pf0hpf, host_mac: "52:54:00:fe:02:02"}]'
    dpu retry server-2-dpu-0
    dpu delete server-2-dpu-0 --yes
  `),
  trouble: lines(`
    fault add fabric error --operation 'POST /v2.0/routers' --status 400
    alice: virtual-network create lab --ipv4-cidr 10.40.0.0/16 --wait
    fault clear
    alice: virtual-network retry lab --wait
    fault add fabric error --operation 'POST /v2.0/subnets' --status 400
    alice: subnet create benches --virtual-network lab --ipv4-cidr 10.40.1.0/24 --wait
    fault clear
    alice: subnet retry benches --wait
    fault add fabric error --operation 'POST /v2.0/security-group' --status 400
    alice: security-group create doors --virtual-network lab --wait
    fault clear
    alice: security-group retry doors --wait
    alice: external-ip create window --pool outside --wait
    fault add fabric error --operation 'PUT /v2.0/routers' --status 400
    alice: nat-gateway create hatch --virtual-network lab --external-ip window --wait
    fault clear
    alice: nat-gateway retry hatch --wait
    fault add hub error --operation 'PATCH /apis/' --status 400
    alice: cluster create lab --template ocp_4_17_small --wait
    fault clear
    alice: cluster retry lab
    alice: operation watch {operation}
    alice: external-ip create door --pool outside --wait
    fault add fabric error --operation 'POST /v2.0/floatingips' --status 400
    alice: external-ip-attachment create door --external-ip door --cluster lab --target-endpoint EXTERNAL_IP_ATTACHMENT_ENDPOINT_INGRESS --wait
    fault clear
    alice: external-ip-attachment retry door --wait
    alice: external-ip-attachment delete door --yes --wait
    fault add fabric error --operation DELETE --status 400
    alice: cluster delete lab --yes --wait
    operation list --stuck
    status
    fault clear
    operation resume {operation} --wait
    alice: nat-gateway delete hatch --yes --wait
    alice: security-group delete doors --yes --wait
    alice: subnet delete benches --yes --wait
    alice: virtual-network delete lab --yes --wait
    host validate server-1 --wait
    fault add bmc:server-1 hold --operation power --count 0
    host validate server-1 --wait
    fault clear
    host retry server-1 --wait
    fault add bmc:server-1 hold --operation 'another server' --count 0
    host validate server-1 --wait
    fault clear
    host accept-identity server-1 --yes --wait
    host accept-identity server-1 --yes --wait
    host reprovision server-3 --yes --wait
    fault add bmc:server-3-dpu-0 hold --operation 'another server' --count 0
    dpu retry server-3-dpu-0 --wait
    fault clear
    host-type update metal --set 'firmware=[{component: bios, version: 2.1.6, image: "https://firmware.example/bios-2.1.6.bin"}]'
    host update-firmware server-1 --wait
    host override-health server-1 --source tenant --mode replace --set 'alerts=[]'
    fault add fabric error --operation 'POST /v2.0/ports' --status 400 --count 0
    alice: server create lab --catalog-item rhel --subnet shop-web --ssh-key key.pub --wait
    fault clear
    alice: server retry lab --wait
    alice: server history lab
    alice: server batch --from two-servers.json --dry-run
    alice: server delete lab --yes --wait
    dpu accept-identity server-3-dpu-0 --yes
    host retire server-1 --yes
    host retire server-3 --yes --wait
    dpu delete server-3-dpu-0 --yes
  `),
  provider: lines(`
    hub list
    hub get hub-a
    hub create --from hub.json --dry-run
    hub update hub-a --set metadata.labels.team=blue
    hub delete hub-a --yes
    hub rights --name slipway
    hub register --name hub-x --kubeconfig nowhere --region eu-west
    hub register --name hub-x --kubeconfig hub-x.kubeconfig --region eu-west --capacity 5 --base-domain x.example.com --agent-token-file token
    hub delete hub-x --yes
    hub drain hub-b --plan
    hub drain hub-b
    hub drain hub-b --wait --timeout 8h
    site list
    site get site-1
    site create --from site.json
    site pools site-1
    site numbers site-1 --pool vlans --limit 5
    site numbers site-1 --pool vlans --from 107 --limit 2
    site numbers site-1 --pool floating_ips --from 203.0.113.100 --limit 3
    site numbers site-1 --pool drawers
    site extend site-1 --vlans 4000-4050
    site extend site-1 --floating-ips 203.0.113.251-203.0.113.254
    site check site-2.yaml
    site register site-2.yaml
    site update site-2 --orphans report
    site delete site-2 --yes
    intake get
    intake pause
    status
    intake resume
    removal get
    removal pause
    removal resume
    invalid-object list
    audit search --tenant tenant-a --limit 2
    audit search --tenant tenant-a --filter 'this.verb == "delete"' --limit 2
    audit search --tenant tenant-a --since 2026-11-26T03:00:00Z
    audit verify --tenant tenant-a
  `),
  here: lines(`
    api /api/private/v1/intake
    api GET /api/private/v1/hub_templates
    api /healthz
    api PUT /healthz
    context list
    context set prod --url https://slipway.example.com --token-file token
    context use prod
    context use nothing
    context list
    context remove prod
    login --url https://slipway --issuer https://issuer --name work
    logout --context work
    whoami
    alice: whoami
    doctor
    completion bash
    completion tcsh
    complete -- cluster ku
    explain cluster.spec.node_sets
    explain cluster.spec.nodes
    fault add dns error --status 503 --count 2
    fault add nothing error
    fault add hub error --operation 'PATCH /apis/'
    fault list
    fault clear
    fault list
    nobody: cluster list
    cluster list --url http://nowhere --token-file token
    cluster create demo --template ocp_4_17_small --url http://nowhere --token-file token
    clutser list
    cluster lst
    --version
  `),
};
