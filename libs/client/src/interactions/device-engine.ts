import { createEngine, type KnowledgeBase } from '@app/interactions';
import { ProtocolError } from '../errors';
import type { InteractionEngineFactory } from './interaction-types';

/**
 * The engine of the service, for `interactionEngine` of the client. It has its own entry point, so that a
 * page without checks does not load it.
 * @throws ProtocolError for a knowledge base that the engine cannot read.
 * Security: the client trusts the base. A hostile service could omit a warning from it, but learns no name.
 */
export const deviceInteractionEngine: InteractionEngineFactory = (knowledgeBase) => {
  if (knowledgeBase.format !== 1) {
    throw new ProtocolError(
      'The knowledge base is of a format that this version of the engine does not read.',
    );
  }
  try {
    return createEngine(knowledgeBase as unknown as KnowledgeBase);
  } catch (cause) {
    throw new ProtocolError('The knowledge base cannot be read by this version of the engine.', { cause });
  }
};
