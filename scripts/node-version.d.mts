export interface Host {
	readonly platform: string;
	readonly arch: string;
	readonly version: string;
	readonly isMusl: boolean;
}
export function currentHost(): Host;
export function findPackagedNode(host: Pick<Host, "platform" | "arch" | "isMusl">): string | undefined;
export function explainUnsuitableNode(host: Host): string | undefined;
