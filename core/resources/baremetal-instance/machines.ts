import { AppError } from "../../error.ts";
import { sshKeyAlone } from "../../kernel/input/ssh-key.ts";
import { mustLoad } from "../../kernel/object/records.ts";
import { isNetworkStart, withReport } from "../../machine/boot.ts";
import { metaData, phoningHome } from "../../machine/cloud-init.ts";
import { bootDisk, bootKernel, chainTo } from "../../machine/ipxe.ts";
import type { Serving } from "../../machine/serving.ts";
import { servedUserData } from "./user-data.ts";

/** The answers to an instance's server when it boots: the tenant's image, and the data for cloud-init. */
export const machines: Serving<"baremetal_instance"> = {
  allows(instance, request) {
    const { boot, operation } = instance;
    switch (request) {
      case "boot":
      case "seed":
        // Only during the operation that began this boot; a running system already has its data.
        return isNetworkStart(instance) && operation === boot?.operation;
      case "phone_home":
        return boot?.since !== undefined;
      default:
        return false;
    }
  },
  async boot(deps, { spec, boot }, { site: id, urls }) {
    // Some installers read the whole seed and restart the server, and some controllers then boot from the
    // network once more.
    if (boot?.seeded !== undefined) return bootDisk();
    const { source_type, source_ref } = spec.image;
    if (source_type === "ipxe") return chainTo(source_ref, { "seed-url": urls.seed });
    const { machines } = (await mustLoad(deps, "site", id)).spec;
    if (!machines?.installer) throw new AppError("NotFound", "the site has no installer");
    const image = source_type === "registry" ? `docker://${source_ref}` : source_ref;
    return bootKernel({
      ...machines.installer,
      args: [`image=${image}`, `ds=nocloud;s=${urls.seed}`],
    });
  },
  async seed({ secrets }, { id, metadata, spec }, part, { urls }) {
    switch (part) {
      case "meta-data": {
        const { ssh_public_key: key } = spec;
        return metaData({
          instanceId: id,
          hostname: metadata.name,
          keys: key === undefined ? [] : [sshKeyAlone(key)],
        });
      }
      case "user-data": {
        const given = spec.user_data === undefined ? undefined : await secrets.get(spec.user_data);
        return (given === undefined ? undefined : servedUserData(given)) ?? "#cloud-config\n{}\n";
      }
      case "vendor-data":
        return phoningHome({ instanceId: id, url: urls.phoneHome });
      case "network-config":
        return undefined;
    }
  },
  reported(instance, report, { now }) {
    if (report.of === "phone_home" && report.instance_id !== instance.id)
      throw new AppError("Forbidden", "the token is another instance's");
    return withReport(instance, report, now);
  },
};
