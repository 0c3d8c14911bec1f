/** The error object that the vendor answers with. */
export interface VendorError {
	readonly message: string;
	readonly type: string;
	readonly param: string | null;
	readonly code: string | null;
}

/** Thrown by the checks: a request that the vendor would not take. */
export class Rejection extends Error {
	readonly status: number;
	readonly error: VendorError;

	constructor(status: number, message: string, details: Partial<VendorError> = {}) {
		super(message);
		this.status = status;
		this.error = { message, type: "invalid_request_error", param: null, code: null, ...details };
	}
}

export function reject(message: string, param: string | null = null, code: string | null = null): never {
	throw new Rejection(400, message, { param, code });
}
