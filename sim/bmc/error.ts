/** A refusal, in Redfish's form. */
export class RedfishError extends Error {
  readonly status: number;
  readonly id: string;
  readonly about: string[];
  constructor(status: number, id: string, message: string, about: string[] = []) {
    super(message);
    this.status = status;
    this.id = id;
    this.about = about;
  }
}

const severity = (status: number): string => (status >= 500 ? "Critical" : "Warning");

export function errorResponse(error: unknown, headers: Record<string, string> = {}): Response {
  const { status, id, message, about } =
    error instanceof RedfishError
      ? error
      : new RedfishError(
          500,
          "Base.1.12.InternalError",
          "The request failed due to an internal service error. The service is still operational.",
        );
  const body = {
    error: {
      code: "Base.1.12.GeneralError",
      message: "A general error has occurred. See ExtendedInfo for more information.",
      "@Message.ExtendedInfo": [
        {
          "@odata.type": "#Message.v1_1_1.Message",
          MessageId: id,
          Message: message,
          MessageArgs: [],
          RelatedProperties: about,
          Severity: severity(status),
          Resolution: "None.",
        },
      ],
    },
  };
  return Response.json(body, { status, headers });
}

/** An injected refusal. */
export const refuse = (status: number): Response =>
  errorResponse(
    new RedfishError(
      status,
      status === 503 ? "Base.1.12.ServiceTemporarilyUnavailable" : "Base.1.12.GeneralError",
      `injected fault: the controller answers ${status}`,
    ),
  );
