import { SourceError } from "../../source-error";
import type { SourceResponse } from "../connector";
import { readFirst } from "../read-body";
import { readErrorDocument } from "./read-object-list";

const MAX_ERROR_BYTES = 64 * 1024;

interface Explanation {
	readonly code: string;
	readonly message: string;
	readonly hint: string;
}

const EXPLANATIONS: Readonly<Record<string, Explanation | undefined>> = {
	SignatureDoesNotMatch: {
		code: "signature_rejected",
		message: "The store does not accept the signature of the request.",
		hint: "Check the secret access key in the source's `credential`: it does not belong to the access key id.",
	},
	InvalidAccessKeyId: {
		code: "access_key_unknown",
		message: "The store does not know the access key id.",
		hint: "Check the access key id in the source's `credential`.",
	},
	ExpiredToken: {
		code: "credential_expired",
		message: "The session of the temporary credentials is over.",
		hint: "Store new ones, or the key of a user that may only read.",
	},
	InvalidToken: {
		code: "credential_expired",
		message: "The store does not accept the session token.",
		hint: "Store the credential as <access key id>:<secret access key>, with :<session token> for temporary ones.",
	},
	RequestTimeTooSkewed: {
		code: "clock_skewed",
		message: "The clock of the service differs too much from that of the store.",
		hint: "The operator must correct the clock of the service.",
	},
	NoSuchBucket: {
		code: "bucket_not_found",
		message: "The store has no bucket of this name.",
		hint: "Check `bucket`, and `endpoint` where the store is not AWS. No document was deleted.",
	},
	AccessDenied: {
		code: "access_denied",
		message: "The store refuses access to the bucket.",
		hint: "Name a secret as `credential` whose user has the permissions s3:ListBucket and s3:GetObject.",
	},
	InvalidObjectState: {
		code: "archived",
		message: "The object is archived.",
		hint: "Restore it, or leave it out with `exclude`.",
	},
};

const WRONG_REGION = new Set(["PermanentRedirect", "AuthorizationHeaderMalformed", "TemporaryRedirect"]);

/** Reads the error of a store's response. */
export async function readStoreError({ status, headers, body }: SourceResponse): Promise<SourceError> {
	const document = await readErrorDocument(
		body === null ? new Uint8Array() : await readFirst(body, MAX_ERROR_BYTES),
	);
	const name = document.get("Code") ?? "";
	const region = headers.get("x-amz-bucket-region") ?? document.get("Region");
	const isRedirect = status >= 300 && status < 400;
	if (isRedirect || (WRONG_REGION.has(name) && region !== undefined && region !== null))
		return regionError(region);
	const { code, message, hint } = EXPLANATIONS[name] ?? explainStatus(status);
	return new SourceError(message, { code, hint });
}

function regionError(region: string | null | undefined): SourceError {
	const isKnown = region !== null && region !== undefined && /^[a-z\d-]{1,40}$/u.test(region);
	return new SourceError(`The bucket is in another region${isKnown ? `, ${region}` : ""}.`, {
		code: "wrong_region",
		hint: isKnown
			? `Set \`region\` to ${region}.`
			: "Set `region`, and `endpoint` where the store is not AWS.",
	});
}

function explainStatus(status: number): Explanation {
	const message = `The store responded with status ${status}.`;
	if (status === 401 || status === 403) return { ...DENIED, message };
	if (status === 404) return { ...NOT_FOUND, message };
	const isBusy = status === 429 || status === 503;
	return { code: isBusy ? "source_busy" : "bad_status", message, hint: "The next sync tries again." };
}

const DENIED = {
	code: "access_denied",
	hint: "Name a secret as `credential` whose user may list the bucket and read its objects.",
};
const NOT_FOUND = {
	code: "bucket_not_found",
	hint: "Check `bucket` and `endpoint`. No document was deleted.",
};
