"""
The first objects of a real cloud: the network service in the catalog, users with the roles that a credential may have,
an application credential of each, and an outside network. Arguments: Keystone's URL and Neutron's; standard input has
the administrator's password. Prints what was made as JSON.
"""

import json
import sys
import urllib.error
import urllib.request

keystone, neutron = sys.argv[1:]
password = sys.stdin.read()


def ask(method, url, body=None, token=None):
    headers = {"content-type": "application/json"}
    if token:
        headers["x-auth-token"] = token
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
            return answer.headers, json.loads(text) if text else None
    except urllib.error.HTTPError as refused:
        sys.exit(f"{method} {url}: {refused.code} {refused.read().decode()}")


def log_in(name, project):
    domain = {"id": "default"}
    user = {"name": name, "domain": domain, "password": password}
    identity = {"methods": ["password"], "password": {"user": user}}
    scope = {"project": {"name": project, "domain": domain}}
    body = {"auth": {"identity": identity, "scope": scope}}
    headers, answer = ask("POST", f"{keystone}/v3/auth/tokens", body)
    return headers["x-subject-token"], answer["token"]


admin, session = log_in("admin", "admin")


def make(collection, body, kind=None):
    kind = kind or collection[:-1]
    _, answer = ask("POST", f"{keystone}/v3/{collection}", {kind: body}, admin)
    return answer[kind]


make("regions", {"id": "RegionOne"})
for kind, name, url in [("identity", "keystone", f"{keystone}/v3"), ("network", "neutron", neutron)]:
    service = make("services", {"type": kind, "name": name})
    for interface in ["public", "internal"]:
        endpoint = {"service_id": service["id"], "interface": interface, "url": url}
        make("endpoints", {**endpoint, "region_id": "RegionOne"})
_, found = ask("GET", f"{keystone}/v3/roles", token=admin)
roles = {role["name"]: role["id"] for role in found["roles"]}
if "service" not in roles:
    roles["service"] = make("roles", {"name": "service"})["id"]
project = make("projects", {"name": "slipway", "domain_id": "default"})

credentials = {}
for name, has in {
    "both": ["admin", "service"],
    "admin": ["admin"],
    "service": ["service"],
    "member": ["member"],
}.items():
    user = make("users", {"name": f"slipway-{name}", "domain_id": "default", "password": password})
    for role in has:
        ask("PUT", f"{keystone}/v3/projects/{project['id']}/users/{user['id']}/roles/{roles[role]}", token=admin)
    token, _ = log_in(f"slipway-{name}", "slipway")
    url = f"{keystone}/v3/users/{user['id']}/application_credentials"
    _, answer = ask("POST", url, {"application_credential": {"name": "slipway"}}, token)
    made = answer["application_credential"]
    credentials[name] = {"id": made["id"], "secret": made["secret"]}


def make_in_neutron(collection, body):
    kind = collection[:-1]
    _, answer = ask("POST", f"{neutron}/v2.0/{collection}", {kind: body}, admin)
    return answer[kind]


outside = make_in_neutron(
    "networks",
    {
        "name": "public",
        "router:external": True,
        "provider:network_type": "flat",
        "provider:physical_network": "public",
    },
)
make_in_neutron(
    "subnets",
    {
        "network_id": outside["id"],
        "ip_version": 4,
        "cidr": "203.0.113.0/24",
        "gateway_ip": "203.0.113.1",
        "enable_dhcp": False,
        # Tests choose addresses below; Neutron draws its own at random.
        "allocation_pools": [{"start": "203.0.113.100", "end": "203.0.113.250"}],
    },
)
print(json.dumps({"credentials": credentials, "external_network": outside["id"], "project": project["id"]}))
