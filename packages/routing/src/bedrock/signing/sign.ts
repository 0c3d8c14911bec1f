import { AwsV4Signer } from "aws4fetch";

/** HTTP request before it is signed with AWS Signature Version 4. */
export interface UnsignedRequest {
	readonly method: string;
	readonly url: string;
	/** All of them are signed. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

export interface SigningKey {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** Session token of temporary credentials. */
	readonly sessionToken?: string | undefined;
}

export interface SigningScope {
	readonly region: string;
	/** `bedrock` */
	readonly service: string;
	readonly date: Date;
	/**
	 * True where the path of `url` is encoded once more to be signed, `%3A` as `%253A`. All services but S3 require
	 * this for paths that are sent encoded. Default true.
	 */
	readonly doubleEncode?: boolean;
	/** Derived keys, which hold for a day; best one for each credential. */
	readonly cache?: Map<string, ArrayBuffer>;
}

/** The headers of the request, with those that sign it (AWS, "Signature Version 4 for API requests"). Needs WebCrypto. */
export async function sign(
	{ method, url, headers, body }: UnsignedRequest,
	{ accessKeyId, secretAccessKey, sessionToken }: SigningKey,
	{ region, service, date, doubleEncode = true, cache }: SigningScope,
): Promise<Record<string, string>> {
	const signer = new AwsV4Signer({
		method,
		url,
		headers: { ...headers },
		body,
		accessKeyId,
		secretAccessKey,
		region,
		service,
		datetime: date.toISOString().replace(/[:-]|\.\d{3}/g, ""),
		allHeaders: true,
		singleEncode: !doubleEncode,
		...(sessionToken === undefined ? {} : { sessionToken }),
		...(cache === undefined ? {} : { cache }),
	});
	const signed = await signer.sign();
	return Object.fromEntries(signed.headers);
}

/** The SHA-256 of a text in hexadecimal, for `x-amz-content-sha256`. */
export async function hashText(text: string): Promise<string> {
	const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** React Native has none, and neither have pages without TLS. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;
