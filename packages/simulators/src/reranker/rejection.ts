/** Thrown by the checks: a request that the vendor would not take. */
export class Rejection extends Error {
	readonly status: number;
	/** A code or type, where the vendor has one. */
	readonly type: string | undefined;
	/** Nothing at all is said of some. */
	readonly hasEmptyBody: boolean;

	constructor(
		status: number,
		message: string,
		details: { readonly type?: string; readonly hasEmptyBody?: boolean } = {},
	) {
		super(message);
		this.status = status;
		this.type = details.type;
		this.hasEmptyBody = details.hasEmptyBody ?? false;
	}
}
