import { RedfishError } from "../../../sim/bmc/error.ts";

/** Refusals of real controllers that the simulated ones have no use for, in the words of the standard's registries. */

export const notAllowed = (method: string, path: string) =>
  new RedfishError(
    405,
    "Base.1.12.OperationNotAllowed",
    `The HTTP method ${method} is not allowed on ${path}.`,
  );

export const unknownMember = (name: string) =>
  new RedfishError(
    400,
    "Base.1.12.PropertyUnknown",
    `The property ${name} is not in the list of valid properties for the resource.`,
    [`#/${name}`],
  );

export const parameterMissing = (name: string) =>
  new RedfishError(
    400,
    "Base.1.12.ActionParameterMissing",
    `The action requires the parameter ${name} to be present in the request body.`,
    [`#/${name}`],
  );

export const unlicensed = () =>
  new RedfishError(
    403,
    "License.1.0.NotLicensed",
    "The operation is not permitted because the required license is not installed.",
  );

export const forbidden = () =>
  new RedfishError(
    403,
    "Base.1.12.InsufficientPrivilege",
    "There are insufficient privileges for the account or credentials associated with the current session to perform the requested operation.",
  );

export const noSession = () =>
  new RedfishError(
    401,
    "Base.1.12.NoValidSession",
    "There is no valid session established with the implementation.",
  );

export const inStandby = () =>
  new RedfishError(
    409,
    "Base.1.12.ResourceInStandby",
    "The request could not be performed because the resource is in standby.",
  );

export const precondition = (status: 412 | 428) =>
  status === 428
    ? new RedfishError(
        428,
        "Base.1.12.PreconditionRequired",
        "A precondition header or annotation is required to change this resource.",
      )
    : new RedfishError(
        412,
        "Base.1.12.PreconditionFailed",
        "The ETag supplied did not match the ETag required to change this resource.",
      );
