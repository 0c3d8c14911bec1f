import type { IncomingMessage, ServerResponse } from "node:http";
import type { SimulatedCredential } from "../bedrock/checks/check-signature.ts";
import { startServer } from "../start-server.ts";
import { checkS3Signature } from "./check-signature.ts";
import { escapeXml, listObjects, type SimulatedObject, tagOf } from "./list-objects.ts";
import { rejectS3, S3Rejection } from "./rejection.ts";

export type { SimulatedObject } from "./list-objects.ts";

/** Options of the stand-in for Amazon S3. */
export interface S3SimulatorOptions {
	/** Objects by bucket and key; may be changed while it runs. */
	readonly buckets: Record<string, Record<string, SimulatedObject>>;
	/** Default `us-east-1`. */
	readonly region?: string;
	/** Regions of buckets that are elsewhere. */
	readonly bucketRegions?: Readonly<Record<string, string>>;
	/** Keys whose signatures are accepted. Default none: all requests must be anonymous. */
	readonly credentials?: readonly SimulatedCredential[];
	/** Buckets that need no signature. */
	readonly publicBuckets?: readonly string[];
	/** Maximum number of objects in one page of a list. Default 1,000. */
	readonly pageSize?: number;
	/** Default: this machine's clock. */
	readonly now?: () => Date;
}

export interface S3Simulator {
	/** `http://127.0.0.1:<port>` */
	readonly origin: string;
	/** `<method> <path>` of each request, as it came in. */
	readonly requests: string[];
	close(): Promise<void>;
}

/** Stand-in for Amazon S3: lists and gets objects, and checks signatures as strictly. */
export async function startS3Simulator(options: S3SimulatorOptions): Promise<S3Simulator> {
	const requests: string[] = [];
	const server = await startServer(0, async (request, response) => {
		requests.push(`${request.method} ${request.url}`);
		try {
			await serve(request, response, options);
		} catch (error) {
			if (!(error instanceof S3Rejection)) throw error;
			sendRejection(response, error);
		}
	});
	return { origin: server.origin, requests, close: server.close };
}

async function serve(
	{ method = "", url: path = "", headers }: IncomingMessage,
	response: ServerResponse,
	options: S3SimulatorOptions,
): Promise<void> {
	const {
		buckets,
		region = "us-east-1",
		credentials = [],
		publicBuckets = [],
		now = () => new Date(),
	} = options;
	const { bucket, key, query } = parseTarget(path, headers.host ?? "", buckets);
	const isAnonymous = headers.authorization === undefined && publicBuckets.includes(bucket);
	if (!isAnonymous) await checkS3Signature({ method, path, headers }, { region, credentials, now });
	const objects = buckets[bucket];
	if (objects === undefined)
		rejectS3(404, "NoSuchBucket", "The specified bucket does not exist", { BucketName: bucket });
	const elsewhere = options.bucketRegions?.[bucket] ?? region;
	if (elsewhere !== region) {
		response.setHeader("x-amz-bucket-region", elsewhere);
		rejectS3(
			301,
			"PermanentRedirect",
			"The bucket you are attempting to access must be addressed using the specified endpoint.",
			{
				Endpoint: `${bucket}.s3.${elsewhere}.amazonaws.com`,
			},
		);
	}
	if (method !== "GET")
		rejectS3(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
	if (key === "") {
		if (query.get("list-type") !== "2") rejectS3(400, "InvalidArgument", "Only ListObjectsV2 is offered.");
		response.setHeader("content-type", "application/xml");
		response.end(listObjects(bucket, objects, query, options.pageSize ?? 1_000));
		return;
	}
	const object = Object.hasOwn(objects, key) ? objects[key] : undefined;
	if (object === undefined)
		return rejectS3(404, "NoSuchKey", "The specified key does not exist.", { Key: key });
	response.setHeader("content-type", object.contentType ?? "binary/octet-stream");
	response.setHeader("etag", tagOf(object));
	response.end(object.body);
}

/** Bucket and key: of the path, or the bucket of the host name. */
function parseTarget(
	path: string,
	host: string,
	buckets: S3SimulatorOptions["buckets"],
): { readonly bucket: string; readonly key: string; readonly query: URLSearchParams } {
	const [pathname = "", search = ""] = path.split("?", 2);
	const [label = ""] = host.split(".", 1);
	const parts = pathname.slice(1).split("/");
	const bucket = Object.hasOwn(buckets, label) ? label : decodeURIComponent(parts.shift() ?? "");
	return { bucket, key: decodeURIComponent(parts.join("/")), query: new URLSearchParams(search) };
}

function sendRejection(response: ServerResponse, { status, code, message, details }: S3Rejection): void {
	const elements = Object.entries({ Code: code, Message: message, ...details });
	const body = elements.map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`).join("");
	response.writeHead(status, { "content-type": "application/xml" });
	response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error>${body}<RequestId>1</RequestId></Error>`);
}
