/** Thrown by the checks: a request that the service would not take. */
export class Rejection extends Error {
	readonly status: number;
	/** `AccessDenied` and the like, where the service has one. */
	readonly type: string;

	constructor(status: number, type: string, message: string) {
		super(message);
		this.status = status;
		this.type = type;
	}
}
