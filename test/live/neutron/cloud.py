"""
The first objects of a real cloud: the network service in the catalog, users with the roles that a credential may have,
an application credential of each and some of other sorts, and an outside network. Arguments: Keystone's URL and Neutron's; standard input has
the administrator's password. Prints what was made as JSON.
"""

import json
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone

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


def make_user(name, has):
    user = make("users", {"name": f"slipway-{name}", "domain_id": "default", "password": password})
    for role in has:
        ask("PUT", f"{keystone}/v3/projects/{project['id']}/users/{user['id']}/roles/{roles[role]}", token=admin)
    return user["id"], log_in(f"slipway-{name}", "slipway")[0]


def make_credential(user, token, more):
    url = f"{keystone}/v3/users/{user}/application_credentials"
    _, answer = ask("POST", url, {"application_credential": {"name": "slipway", **more}}, token)
    made = answer["application_credential"]
    return {"id": made["id"], "secret": made["secret"], "user": user}


network_reads = {"service": "network", "method": "GET", "path": "/v2.0/networks"}
credentials = {}
for name, (has, more) in {
    "expired": (["admin", "service"], {}),
    "both": (["admin", "service"], {}),
    "admin": (["admin"], {}),
    "service": (["service"], {}),
    "member": (["member"], {}),
    "fewer": (["admin", "service"], {"roles": [{"name": "service"}]}),
    "unrestricted": (["admin", "service"], {"unrestricted": True}),
    "ruled": (["admin", "service"], {"access_rules": [network_reads]}),
    "deleted": (["admin", "service"], {}),
    "disabled": (["admin", "service"], {}),
}.items():
    user, token = make_user(name, has)
    if name == "expired":
        # Keystone takes no end that is over.
        end = datetime.now(timezone.utc) + timedelta(seconds=10)
        more = {"expires_at": end.strftime("%Y-%m-%dT%H:%M:%SZ")}
    made = credentials[name] = make_credential(user, token, more)
    if name == "deleted":
        ask("DELETE", f"{keystone}/v3/users/{user}/application_credentials/{made['id']}", token=token)
    if name == "disabled":
        ask("PATCH", f"{keystone}/v3/users/{user}", {"user": {"enabled": False}}, admin)


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
time.sleep(max(0, (end - datetime.now(timezone.utc)).total_seconds()))
made = {"credentials": credentials, "external_network": outside["id"], "project": project["id"], "network_url": neutron}
print(json.dumps(made))
