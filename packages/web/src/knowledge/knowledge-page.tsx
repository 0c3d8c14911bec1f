import { type KnowledgeBase, visibleText } from "@stemma/client";
import { type FormEvent, useId } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatNumber } from "../data/format";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { navigate, toHref } from "../shell/route";
import { STRINGS } from "../strings/strings";
import { KnowledgeBaseArea } from "./knowledge-base-area";

const MAX_KNOWLEDGE_BASES = 100;

/** Page of the knowledge bases, or of one of them. */
export function KnowledgePage({ knowledgeBaseId }: { readonly knowledgeBaseId: string | undefined }) {
	if (knowledgeBaseId === undefined) return <KnowledgeBases />;
	return <KnowledgeBaseArea key={knowledgeBaseId} id={knowledgeBaseId} />;
}

function KnowledgeBases() {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const mayWrite = useScope("knowledge:write");
	const list = useResource("knowledge bases", (signal) =>
		stemma.knowledge.list({ limit: MAX_KNOWLEDGE_BASES }, { signal }),
	);
	const bases = list.value?.data ?? [];
	return (
		<div className="page">
			<h1>{words.title}</h1>
			<p className="faint">{words.lead}</p>
			{mayWrite && <CreateForm />}
			<ErrorNotice error={list.error} onRetry={() => void list.reload()} />
			{list.isLoading && list.value === undefined && <p role="status">{STRINGS.app.loading}</p>}
			{list.value && bases.length === 0 && (
				<EmptyState title={words.none}>
					<p>{mayWrite ? words.noneHint : words.noneHintViewer}</p>
				</EmptyState>
			)}
			<ul className="cards">
				{bases.map((base) => (
					<li key={base.id}>
						<BaseCard base={base} />
					</li>
				))}
			</ul>
		</div>
	);
}

function BaseCard({ base: { id, name, description, documents } }: { readonly base: KnowledgeBase }) {
	const words = STRINGS.knowledge;
	const unread = documents.queued + documents.processing;
	return (
		<a className="card" href={toHref("knowledge", id)}>
			<strong dir="auto">{visibleText(name)}</strong>
			{description && <span dir="auto">{visibleText(description)}</span>}
			<span className="small">
				{words.documents(formatNumber(documents.total))}
				{unread > 0 && ` · ${words.reading(formatNumber(unread))}`}
				{documents.failed > 0 && (
					<span className="bad-text"> · {words.failed(formatNumber(documents.failed))}</span>
				)}
			</span>
		</a>
	);
}

function CreateForm() {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const nameId = useId();
	const create = useAction(async (name: string) => {
		const { id } = await stemma.knowledge.create({ name });
		navigate(toHref("knowledge", id));
	});
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		const name = String(new FormData(event.currentTarget).get("name")).trim();
		if (name !== "") void create.run(name);
	};
	return (
		<form className="panel" onSubmit={submit}>
			<h2>{words.create}</h2>
			<div className="row grow">
				<label className="hidden" htmlFor={nameId}>
					{words.name}
				</label>
				<input id={nameId} name="name" placeholder={words.name} required maxLength={200} autoComplete="off" />
				<button type="submit" className="primary" disabled={create.isRunning}>
					{words.createAction}
				</button>
			</div>
			<ErrorNotice error={create.error} />
		</form>
	);
}
