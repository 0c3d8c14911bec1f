import type { PageFile } from "../web-app/page-files";
import type { ServiceContext } from "./service-context";

/** Responds with a file of a built page. */
export function respondWithPageFile(
	context: ServiceContext,
	{ type, encoding, bytes }: PageFile,
	headers: Readonly<Record<string, string>>,
): Response {
	return context.body(bytes, 200, {
		...headers,
		"content-type": type,
		"content-length": String(bytes.length),
		...(encoding !== undefined && { "content-encoding": encoding }),
	});
}
