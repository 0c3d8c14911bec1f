import type { IncomingHttpHeaders } from "node:http";
import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import type { SimulatedCredential } from "../bedrock/checks/check-signature.ts";
import { fromAmazonDate } from "../bedrock/checks/check-skew.ts";
import { parseAuthorization, type SignatureHeader } from "../bedrock/checks/parse-authorization.ts";
import { rejectS3 } from "./rejection.ts";

/** Request whose signature is checked. */
export interface SignedRequest {
	readonly method: string;
	/** Path as it was sent: nothing is decoded. */
	readonly path: string;
	readonly headers: IncomingHttpHeaders;
}

export interface S3Account {
	readonly region: string;
	readonly credentials: readonly SimulatedCredential[];
	now(): Date;
}

/** S3 accepts signatures for a quarter of an hour. */
const MAX_SKEW_MS = 15 * 60_000;

/** Makes the signature of a request again, by the vendor's own signer, and compares. */
export async function checkS3Signature(request: SignedRequest, account: S3Account): Promise<void> {
	const { headers } = request;
	const header = parseHeader(headers.authorization);
	const { scope } = header;
	if (scope.region !== account.region)
		rejectS3(
			400,
			"AuthorizationHeaderMalformed",
			`The authorization header is malformed; the region '${scope.region}' is wrong; expecting '${account.region}'`,
			{ Region: account.region },
		);
	if (scope.service !== "s3" || scope.terminator !== "aws4_request")
		rejectS3(400, "AuthorizationHeaderMalformed", "The authorization header is malformed.");
	for (const name of ["host", "x-amz-date", "x-amz-content-sha256"])
		if (!header.signedHeaders.includes(name))
			rejectS3(403, "AccessDenied", "There were headers present in the request which were not signed");
	const date = String(headers["x-amz-date"]);
	if (
		!date.startsWith(scope.date) ||
		!(Math.abs(fromAmazonDate(date).getTime() - account.now().getTime()) <= MAX_SKEW_MS)
	)
		rejectS3(
			403,
			"RequestTimeTooSkewed",
			"The difference between the request time and the current time is too large.",
		);
	const credential = account.credentials.find(({ accessKeyId }) => accessKeyId === header.accessKeyId);
	if (credential === undefined)
		return rejectS3(
			403,
			"InvalidAccessKeyId",
			"The AWS Access Key Id you provided does not exist in our records.",
		);
	if (credential.sessionToken !== headers["x-amz-security-token"])
		rejectS3(403, "InvalidToken", "The provided token is malformed or otherwise invalid.");
	if (credential.isExpired) rejectS3(400, "ExpiredToken", "The provided token has expired.");
	if ((await sign(request, header, credential, account.region)) !== header.signature)
		rejectS3(
			403,
			"SignatureDoesNotMatch",
			"The request signature we calculated does not match the signature you provided. Check your key and signing method.",
		);
}

function parseHeader(authorization: string | undefined): SignatureHeader {
	if (authorization === undefined) return rejectS3(403, "AccessDenied", "Access Denied");
	try {
		return parseAuthorization(authorization);
	} catch {
		return rejectS3(400, "AuthorizationHeaderMalformed", "The authorization header is malformed.");
	}
}

async function sign(
	{ method, path, headers }: SignedRequest,
	{ signedHeaders }: SignatureHeader,
	credentials: SimulatedCredential,
	region: string,
): Promise<string> {
	const signer = new SignatureV4({
		service: "s3",
		region,
		credentials,
		sha256: Sha256,
		applyChecksum: false,
		// S3 alone: the path is encoded once.
		uriEscapePath: false,
	});
	const [pathname = "", search = ""] = path.split("?", 2);
	const signed = signedHeaders.flatMap((name) =>
		headers[name] === undefined ? [] : [[name, headers[name]]],
	);
	const request = {
		method,
		protocol: "http:",
		hostname: String(headers.host),
		path: pathname,
		query: Object.fromEntries(new URLSearchParams(search)),
		headers: Object.fromEntries(signed) as Record<string, string>,
	};
	const result = await signer.sign(request, {
		signingDate: fromAmazonDate(String(headers["x-amz-date"])),
		signableHeaders: new Set(signedHeaders),
	});
	return parseAuthorization(String(result.headers.authorization)).signature;
}
