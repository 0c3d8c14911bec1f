/** Request that S3 would not serve: status, code and further elements of its error document. */
export class S3Rejection extends Error {
	readonly status: number;
	readonly code: string;
	readonly details: Readonly<Record<string, string>>;

	constructor(status: number, code: string, message: string, details: Readonly<Record<string, string>> = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.details = details;
	}
}

export function rejectS3(
	status: number,
	code: string,
	message: string,
	details?: Readonly<Record<string, string>>,
): never {
	throw new S3Rejection(status, code, message, details);
}
