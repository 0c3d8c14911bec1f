import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";
import type { RawRequest } from "../raw-request.ts";
import { rejectUnauthorized } from "../rejection.ts";
import { checkSkew, fromAmazonDate } from "./check-skew.ts";
import { parseAuthorization, type SignatureHeader } from "./parse-authorization.ts";

/** Access keys that the vendor knows. */
export interface SimulatedCredential {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	/** With one, requests must carry it too. */
	readonly sessionToken?: string;
	/** Its session is over. */
	readonly isExpired?: boolean;
}

export interface SigningAccount {
	readonly region: string;
	readonly credentials: readonly SimulatedCredential[];
	now(): Date;
}

const REQUIRED_SIGNED_HEADERS = ["x-amz-date", "x-amz-content-sha256", "x-amz-security-token"];

/** The credential whose signature, made anew over what came in, is the one that the request carries. */
export async function checkSignature(
	request: RawRequest,
	authorization: string,
	account: SigningAccount,
): Promise<SimulatedCredential> {
	const header = parseAuthorization(authorization);
	const date = getDate(request.headers);
	checkScope(header, date, account.region);
	checkSignedHeaders(header, request.headers);
	checkSkew(date, account.now());
	const credential = findCredential(header, request.headers, account.credentials);
	const { "x-amz-content-sha256": sentHash } = request.headers;
	const bodyHash = createHash("sha256").update(request.body).digest("hex");
	const expected = await sign(request, header, credential, account.region);
	const isSame =
		expected.signature === header.signature && `${expected.signedHeaders}` === `${header.signedHeaders}`;
	if (!isSame || (sentHash ?? bodyHash) !== bodyHash) rejectSignature();
	return credential;
}

function getDate({ "x-amz-date": date }: IncomingHttpHeaders): string {
	if (typeof date === "string" && /^\d{8}T\d{6}Z$/.test(date)) return date;
	return rejectUnauthorized(
		403,
		"IncompleteSignatureException",
		"Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
	);
}

function checkScope({ scope }: SignatureHeader, longDate: string, region: string): void {
	const day = longDate.slice(0, 8);
	if (scope.date !== day)
		rejectInvalid(
			`Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${scope.date}' != '${day}', from '${longDate}'.`,
		);
	if (scope.region !== region) rejectInvalid("Credential should be scoped to a valid region. ");
	if (scope.service !== "bedrock")
		rejectInvalid("Credential should be scoped to correct service: 'bedrock'. ");
	if (scope.terminator !== "aws4_request")
		rejectInvalid("Credential should be scoped with a valid terminator: 'aws4_request'. ");
}

function checkSignedHeaders({ signedHeaders }: SignatureHeader, headers: IncomingHttpHeaders): void {
	if (!signedHeaders.includes("host"))
		rejectInvalid("'Host' or ':authority' must be a 'SignedHeader' in the AWS Authorization.");
	for (const name of REQUIRED_SIGNED_HEADERS)
		if (headers[name] !== undefined && !signedHeaders.includes(name))
			rejectInvalid(`'${name}' must be a 'SignedHeader' in the AWS Authorization.`);
}

function findCredential(
	{ accessKeyId }: SignatureHeader,
	{ "x-amz-security-token": token }: IncomingHttpHeaders,
	known: readonly SimulatedCredential[],
): SimulatedCredential {
	const credential = known.find((candidate) => candidate.accessKeyId === accessKeyId);
	if (credential === undefined || credential.sessionToken !== token)
		return rejectUnauthorized(
			403,
			"UnrecognizedClientException",
			"The security token included in the request is invalid.",
		);
	if (credential.isExpired)
		rejectUnauthorized(403, "ExpiredTokenException", "The security token included in the request is expired");
	return credential;
}

/** By the vendor's own signer: the path as it came in, of the headers those that are named as signed. */
async function sign(
	{ method, path, headers, body }: RawRequest,
	{ signedHeaders }: SignatureHeader,
	credentials: SimulatedCredential,
	region: string,
): Promise<SignatureHeader> {
	const signer = new SignatureV4({
		service: "bedrock",
		region,
		credentials,
		sha256: Sha256,
		applyChecksum: false,
	});
	const [pathname = "", search = ""] = path.split("?", 2);
	const signed = signedHeaders.flatMap((name) =>
		headers[name] === undefined ? [] : [[name, headers[name]]],
	);
	const request = {
		method,
		protocol: "https:",
		hostname: String(headers.host),
		path: pathname,
		query: Object.fromEntries(new URLSearchParams(search)),
		headers: Object.fromEntries(signed) as Record<string, string>,
		body,
	};
	const { headers: signedHeadersOut } = await signer.sign(request, {
		signingDate: fromAmazonDate(String(headers["x-amz-date"])),
		signableHeaders: new Set(signedHeaders),
	});
	return parseAuthorization(String(signedHeadersOut.authorization));
}

const rejectInvalid = (message: string): never =>
	rejectUnauthorized(403, "InvalidSignatureException", message);

const rejectSignature = (): never =>
	rejectInvalid(
		"The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.",
	);
