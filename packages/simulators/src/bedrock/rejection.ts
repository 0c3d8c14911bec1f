/** Whose error it is decides the end of its header: the door's (signatures) or the service's. */
export type ErrorSource = "com.amazon.bedrock" | "com.amazon.coral.service";

export interface RejectionDetails {
	/** Default `com.amazon.bedrock`. */
	readonly source?: ErrorSource;
	/** Default `{message}`. */
	readonly body?: object;
}

/** Thrown by the checks: a request that the vendor would not take. */
export class Rejection extends Error {
	readonly status: number;
	/** `ValidationException` and the like. */
	readonly type: string;
	readonly source: ErrorSource;
	readonly body: object;

	constructor(status: number, type: string, message: string, details: RejectionDetails = {}) {
		super(message);
		this.status = status;
		this.type = type;
		this.source = details.source ?? "com.amazon.bedrock";
		this.body = details.body ?? { message };
	}
}

/** A body that the vendor read and does not accept. */
export function reject(message: string): never {
	throw new Rejection(400, "ValidationException", message);
}

/** A value of a kind that the vendor cannot read. */
export function rejectType(message: string): never {
	throw new Rejection(400, "SerializationException", message, { body: { Message: message } });
}

/** A request that is turned away before it reaches the service. */
export function rejectUnauthorized(status: number, type: string, message: string): never {
	throw new Rejection(status, type, message, { source: "com.amazon.coral.service" });
}
