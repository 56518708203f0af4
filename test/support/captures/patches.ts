import { type Capture, isDrive, patched, within } from "./capture.ts";

/** What other controllers of the same maker have, put into a capture that has it not. */

/** Drives announce an erasure by the methods of the standard (DSP2046), as newer firmware does. */
export const erasureAnnounced = (capture: Capture): Capture =>
  patched(capture, (resource, path) =>
    isDrive(resource)
      ? {
          ...resource,
          Actions: {
            ...within(resource.Actions),
            "#Drive.SecureErase": {
              target: `${path}/Actions/Drive.SecureErase`,
              "SanitizationType@Redfish.AllowableValues": ["BlockErase", "CryptographicErase"],
            },
          },
        }
      : resource,
  );

/** Sessions are opened at another path, which the root names (mrlhansen/idrac_exporter#132). */
export const sessionsOfIdrac8 = (capture: Capture): Capture =>
  patched(capture, (resource, path) =>
    path === "/redfish/v1"
      ? {
          ...resource,
          Links: { ...within(resource.Links), Sessions: { "@odata.id": "/redfish/v1/Sessions" } },
        }
      : resource,
  );
