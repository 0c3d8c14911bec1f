import type { A2aPushConfigInput } from "@stemma/client/a2a";
import { omitUndefined } from "@stemma/core/internal";
import { invalidParam } from "../a2a-server-error";
import { type Params, readId, readObject, readText } from "./params";

/** @param path - where the configuration stands; empty for the request itself. @throws A2aServerError `INVALID_PARAMS`. */
export function readPushConfig(config: Params, path: string): A2aPushConfigInput {
	const toPath = (name: string): string => (path === "" ? name : `${path}.${name}`);
	const authentication = readObject(config, "authentication", toPath("authentication"));
	return omitUndefined({
		id: readId(config, "id", toPath("id")),
		taskId: readId(config, "taskId", toPath("taskId")),
		url: readUrl(readText(config, "url", toPath("url")) ?? "", toPath("url")),
		token: readHeaderText(config, "token", toPath("token")),
		authentication:
			authentication === undefined ? undefined : readAuthentication(authentication, toPath("authentication")),
	});
}

function readUrl(text: string, path: string): string {
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw invalidParam(path, "Expected an absolute URL.");
	}
	if (!/^https?:$/.test(url.protocol)) throw invalidParam(path, "Expected an http or https address.");
	if (url.username !== "" || url.password !== "")
		throw invalidParam(path, "Expected a URL without a user: send credentials in `authentication`.");
	return text;
}

function readAuthentication(authentication: Params, path: string): A2aPushConfigInput["authentication"] {
	const scheme = readText(authentication, "scheme", `${path}.scheme`) ?? "";
	if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(scheme))
		throw invalidParam(`${path}.scheme`, "Expected the name of an HTTP scheme, such as Bearer.");
	const credentials = readHeaderText(authentication, "credentials", `${path}.credentials`);
	return { scheme, ...(credentials === undefined ? {} : { credentials }) };
}

/** Goes into a header, so a line break in it could become another one. */
function readHeaderText(params: Params, name: string, path: string): string | undefined {
	const text = readText(params, name, path);
	if (text === undefined || text === "") return undefined;
	if (/^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/.test(text)) return text;
	throw invalidParam(path, "Expected at most 4,096 printable ASCII characters, without spaces at the ends.");
}
