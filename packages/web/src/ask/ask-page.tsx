import type { Citation } from "@stemma/client";
import { useEffect, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { useStoredValue } from "../data/stored-value";
import { useResource } from "../data/use-resource";
import { DocumentViewer } from "../documents/document-viewer";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { toHref } from "../shell/route";
import { STRINGS } from "../strings/strings";
import {
	type AnswerChoices,
	type AnswerTarget,
	parseTarget,
	readThreadTarget,
	toAvailable,
} from "./answer-target";
import { Conversation } from "./conversation";
import { TargetPicker } from "./target-picker";
import { ThreadList } from "./thread-list";

const MAX_CHOICES = 100;

/** Page to ask: conversations at the side, the one that is shown, and beside it the document of a source. */
export function AskPage({ threadId }: { readonly threadId: string | undefined }) {
	const { stemma } = useApp();
	const choices = useResource("choices", async (signal): Promise<AnswerChoices> => {
		const page = { limit: MAX_CHOICES };
		const [knowledgeBases, agents] = await Promise.all([
			stemma.knowledge.list(page, { signal }),
			stemma.agents.list(page, { signal }),
		]);
		return { knowledgeBases: knowledgeBases.data, agents: agents.data };
	});
	if (choices.value === undefined)
		return (
			<div className="page">
				<ErrorNotice error={choices.error} onRetry={() => void choices.reload()} />
				{choices.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			</div>
		);
	return <AskArea threadId={threadId} choices={choices.value} />;
}

interface AskAreaProps {
	readonly threadId: string | undefined;
	readonly choices: AnswerChoices;
}

function AskArea({ threadId, choices }: AskAreaProps) {
	const [storedTarget, setTarget] = useStoredValue("stemma-target", parseTarget);
	const target = toAvailable(storedTarget, choices);
	const [source, setSource] = useState<Citation>();
	const [changes, setChanges] = useState(0);
	/** Grows with each conversation that is started, so that one without a thread yet is replaced, too. */
	const [newCount, setNewCount] = useState(0);
	useThreadTarget(threadId, setTarget);
	const hasDocuments =
		choices.agents.length > 0 || choices.knowledgeBases.some(({ documents }) => documents.total > 0);
	const onNew = () => {
		setSource(undefined);
		setNewCount((count) => count + 1);
	};
	return (
		<div className="ask" data-source={source !== undefined}>
			<details className="side" open={isWide()}>
				<summary>{STRINGS.ask.threads}</summary>
				<ThreadList threadId={threadId} changes={changes} onNew={onNew} />
			</details>
			<section className="talk">
				<h1 className="hidden">{STRINGS.ask.title}</h1>
				<Conversation
					key={newCount}
					threadId={threadId}
					target={target}
					choices={choices}
					header={<TargetPicker target={target} choices={choices} onChange={setTarget} />}
					onSource={setSource}
					onChange={() => setChanges((count) => count + 1)}
				>
					{hasDocuments ? (
						<EmptyState title={STRINGS.ask.emptyTitle}>
							<p>{STRINGS.ask.emptyText}</p>
						</EmptyState>
					) : (
						<FirstSteps />
					)}
				</Conversation>
			</section>
			{source && (
				<DocumentViewer
					key={`${source.document_id} ${source.passage_id}`}
					documentId={source.document_id}
					citation={source}
					onClose={() => setSource(undefined)}
				/>
			)}
		</div>
	);
}

/** Conversations at the side are open where there is room for them. */
const isWide = (): boolean => globalThis.matchMedia("(min-width: 60rem)").matches;

/** Chooses what a thread was started with, when it is opened. */
function useThreadTarget(threadId: string | undefined, onTarget: (target: AnswerTarget) => void): void {
	const { stemma } = useApp();
	// biome-ignore lint/correctness/useExhaustiveDependencies: once for each thread.
	useEffect(() => {
		if (threadId === undefined) return;
		const controller = new AbortController();
		const { signal } = controller;
		// A thread that cannot be read says so in its place.
		stemma.threads.get(threadId, { signal }).then(
			(thread) => onTarget(readThreadTarget(thread)),
			() => undefined,
		);
		return () => controller.abort();
	}, [stemma, threadId]);
}

function FirstSteps() {
	const words = STRINGS.ask;
	const mayAdd = useScope("knowledge:write");
	return (
		<EmptyState title={words.firstTitle}>
			<p>{mayAdd ? words.firstText : words.firstTextViewer}</p>
			{mayAdd && (
				<a className="button primary" href={toHref("knowledge")}>
					{words.firstAction}
				</a>
			)}
		</EmptyState>
	);
}
