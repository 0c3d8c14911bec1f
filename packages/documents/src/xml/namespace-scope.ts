import { toUsualName } from "./namespaces";
import type { StartTag } from "./start-tag";
import { damagedXml } from "./xml-characters";

type Attributes = Readonly<Record<string, string>>;

/** Names of an element with the usual prefixes of their namespaces. */
export interface UsualNames {
	readonly name: string;
	readonly attributes: Attributes;
}

/** Prefixes that are declared at one place of an XML file, and the names that they make, each found once. */
interface Scope {
	readonly uris: ReadonlyMap<string, string>;
	readonly elements: Map<string, string>;
	readonly attributes: Map<string, string>;
	/** Names of tags that came before, and declare no prefix. */
	readonly tags: Map<StartTag, UsualNames>;
}

/** Maximum number of tags of a scope whose names are kept. */
const MAX_KNOWN_TAGS = 4_096;

/** Namespaces of the elements that are open (Namespaces in XML 1.0). */
export interface NamespaceScope {
	/** @throws UnreadableError for a prefix that is not declared. */
	open(tag: StartTag): UsualNames;
	/** Closes the last element that is open. @returns its usual name. */
	close(): string;
	/** Identity of the prefixes that are declared here. */
	readonly current: object;
}

const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
const DECLARATION = "xmlns";

export function createNamespaceScope(): NamespaceScope {
	const names: string[] = [];
	const scopes: Scope[] = [];
	let scope = toScope(new Map([["xml", XML_NAMESPACE]]));
	return {
		open(tag) {
			const known = scope.tags.get(tag);
			const inner = known === undefined ? declare(scope, tag) : scope;
			const found = known ?? resolveNames(inner, tag);
			scopes.push(scope);
			names.push(found.name);
			scope = inner;
			return found;
		},
		close() {
			scope = scopes.pop() ?? scope;
			return names.pop() ?? "";
		},
		get current() {
			return scope;
		},
	};
}

const toScope = (uris: ReadonlyMap<string, string>): Scope => ({
	uris,
	elements: new Map(),
	attributes: new Map(),
	tags: new Map(),
});

/** Scope of an element: that around it, unless the element declares prefixes. */
function declare(outer: Scope, { attributes, attributeNames }: StartTag): Scope {
	let uris: Map<string, string> | undefined;
	for (const name of attributeNames) {
		if (!name.startsWith(DECLARATION)) continue;
		const prefix = name === DECLARATION ? "" : name.slice(DECLARATION.length + 1);
		if (prefix === "" && name !== DECLARATION) continue;
		uris ??= new Map(outer.uris);
		uris.set(prefix, attributes[name]?.trim() ?? "");
	}
	return uris === undefined ? outer : toScope(uris);
}

function resolveNames(scope: Scope, tag: StartTag): UsualNames {
	const { attributes, attributeNames } = tag;
	const found = {
		name: toElementName(scope, tag.name),
		attributes: toUsualAttributes(scope, attributes, attributeNames),
	};
	// Tags that are the same word for word are the same object.
	if (scope.tags.size >= MAX_KNOWN_TAGS) scope.tags.clear();
	scope.tags.set(tag, found);
	return found;
}

function toElementName(scope: Scope, written: string): string {
	const known = scope.elements.get(written);
	if (known !== undefined) return known;
	const { prefix, local } = splitName(written);
	const uri = prefix === "" ? (scope.uris.get("") ?? "") : findUri(scope, prefix);
	const name = toUsualName({ uri, prefix, local });
	scope.elements.set(written, name);
	return name;
}

const toUsualAttributes = (scope: Scope, attributes: Attributes, names: readonly string[]): Attributes =>
	names.every((name) => toAttributeName(scope, name) === name)
		? attributes
		: renameAttributes(scope, attributes);

function renameAttributes(scope: Scope, attributes: Attributes): Attributes {
	const renamed: Record<string, string> = Object.create(null);
	for (const [written, value] of Object.entries(attributes)) {
		const name = toAttributeName(scope, written);
		if (renamed[name] !== undefined) throw damagedXml(`duplicate attribute: ${written}`);
		renamed[name] = value;
	}
	return renamed;
}

/** An attribute without a prefix has no namespace. */
function toAttributeName(scope: Scope, written: string): string {
	if (!written.includes(":")) return written;
	const known = scope.attributes.get(written);
	if (known !== undefined) return known;
	const { prefix, local } = splitName(written);
	const name = prefix === DECLARATION ? written : toUsualName({ uri: findUri(scope, prefix), prefix, local });
	scope.attributes.set(written, name);
	return name;
}

function splitName(name: string): { prefix: string; local: string } {
	const colon = name.indexOf(":");
	if (colon === -1) return { prefix: "", local: name };
	const prefix = name.slice(0, colon);
	const local = name.slice(colon + 1);
	if (prefix === "" || local === "" || local.includes(":")) throw damagedXml(`malformed name: ${name}`);
	return { prefix, local };
}

function findUri({ uris }: Scope, prefix: string): string {
	const uri = uris.get(prefix) ?? "";
	if (uri === "") throw damagedXml(`unbound namespace prefix: ${prefix}`);
	return uri;
}
