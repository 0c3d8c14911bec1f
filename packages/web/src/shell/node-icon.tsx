import type { NodeKind } from "@stemma/core";

/** Lines of each icon, on 16 by 16. */
const LINES: { readonly [Kind in NodeKind | "wait"]: string } = {
	coordinator: "M8 1.5 9.9 5.9 14.5 6.3 11 9.4 12.1 14 8 11.5 3.9 14 5 9.4 1.5 6.3 6.1 5.9Z",
	agent: "M8 2a3 3 0 1 1 0 6 3 3 0 0 1 0-6ZM2.5 14c.4-3 2.6-4.5 5.5-4.5s5.1 1.5 5.5 4.5Z",
	knowledge: "M2 3c2-1 4-1 6 .5C10 2 12 2 14 3v10c-2-1-4-1-6 .5C6 12 4 12 2 13ZM8 3.5v10",
	tool: "M10.5 2a3.5 3.5 0 0 0-3.3 4.7L2 12l2 2 5.3-5.2A3.5 3.5 0 0 0 13.8 4.5L11.5 6.5 9.5 4.5 11.7 2.2A3.5 3.5 0 0 0 10.5 2Z",
	remote: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13ZM1.5 8h13M8 1.5c4 4 4 9 0 13M8 1.5c-4 4-4 9 0 13",
	wait: "M4 2h8M4 14h8M5 2c0 4 6 4 6 12M11 2c0 4-6 4-6 12",
};

/** Icon of a kind of node, or of a wait. Its name is written beside it. */
export const NodeIcon = ({ kind }: { readonly kind: NodeKind | "wait" }) => (
	<svg className="node-icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
		<path d={LINES[kind]} />
	</svg>
);
