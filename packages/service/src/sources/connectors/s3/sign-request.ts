import { clock } from "@stemma/core/internal";
import { AwsV4Signer } from "aws4fetch";
import { SourceError } from "../../source-error";

/** Access key of a store. */
export interface AccessKey {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** Session token of temporary credentials. */
	readonly sessionToken?: string | undefined;
}

/**
 * Reads the secret of a source: `<access key id>:<secret access key>`, with `:<session token>` for temporary ones.
 *
 * @throws SourceError `credential_malformed`
 */
export function parseAccessKey(credential: string): AccessKey {
	const [accessKeyId = "", secretAccessKey = "", ...rest] = credential.trim().split(":");
	if (accessKeyId === "" || secretAccessKey === "")
		throw new SourceError("The secret of the source is no access key.", {
			code: "credential_malformed",
			hint: "Store it as <access key id>:<secret access key>; for temporary credentials, add :<session token>.",
		});
	return { accessKeyId, secretAccessKey, sessionToken: rest.length === 0 ? undefined : rest.join(":") };
}

/** Options of a signature. */
export interface SignatureOptions {
	readonly region: string;
	/** Default: now. */
	readonly date?: Date;
	/** Headers that are signed, too. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** Headers of a GET request to S3, with its signature (AWS, "Signature Version 4"). */
export async function signRequest(
	url: string,
	key: AccessKey,
	{ region, date = new Date(clock.now()), headers = {} }: SignatureOptions,
): Promise<Readonly<Record<string, string>>> {
	const signer = new AwsV4Signer({
		method: "GET",
		url,
		headers: { ...headers },
		accessKeyId: key.accessKeyId,
		secretAccessKey: key.secretAccessKey,
		region,
		service: "s3",
		datetime: date.toISOString().replace(/[:-]|\.\d{3}/gu, ""),
		...(key.sessionToken === undefined ? {} : { sessionToken: key.sessionToken }),
	});
	const signed = await signer.sign();
	return Object.fromEntries(signed.headers);
}
