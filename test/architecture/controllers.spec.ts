import ts from 'typescript';
import { type Source, SOURCES } from './sources';

const HTTP_METHODS = ['RequestMapping', 'Get', 'Post', 'Put', 'Delete', 'Patch', 'Head', 'Options', 'All'];

/** Speaks HTTP itself, since it answers with a cached body: its statements are headers. */
const MORE_THAN_HTTP_NEEDS = ['InteractionsController.knowledgeBase'];

interface Handler {
  name: string;
  /** Decorators of the method, by name. */
  decorators: Map<string, ts.Decorator>;
  /** Decorators of the class. */
  ofClass: Map<string, ts.Decorator>;
  method: ts.MethodDeclaration;
}

/** Every method of a controller that answers a route. */
const handlers = SOURCES.filter(({ path }) => path.endsWith('.controller.ts')).flatMap(handlersOf);

/** The class may be inside of a function, for the routes that kinds of records have in common. */
function handlersOf({ tree }: Source): Handler[] {
  const classes = tree.statements.flatMap((statement) =>
    ts.isFunctionDeclaration(statement) ? [...statement.body!.statements] : [statement],
  );
  return classes.filter(ts.isClassDeclaration).flatMap((controller) =>
    controller.members.filter(ts.isMethodDeclaration).map((method) => ({
      name: `${controller.name!.text}.${(method.name as ts.Identifier).text}`,
      decorators: decoratorsOf(method),
      ofClass: decoratorsOf(controller),
      method,
    })),
  );
}

function decoratorsOf(node: ts.HasDecorators): Map<string, ts.Decorator> {
  const named = (ts.getDecorators(node) ?? []).map((decorator): [string, ts.Decorator] => {
    const { expression } = decorator;
    return [(ts.isCallExpression(expression) ? expression.expression : expression).getText(), decorator];
  });
  return new Map(named);
}

/** The text of a property of the object that a decorator is given. */
function optionOf(decorator: ts.Decorator | undefined, name: string): string | undefined {
  const [options] = (decorator?.expression as ts.CallExpression | undefined)?.arguments ?? [];
  if (!options || !ts.isObjectLiteralExpression(options)) return undefined;
  const property = options.properties.find((one) => one.name?.getText() === name);
  return property && ts.isPropertyAssignment(property) ? property.initializer.getText() : undefined;
}

const isPublic = ({ decorators, ofClass }: Handler) => decorators.has('Public') || ofClass.has('Public');
const isDocumented = ({ ofClass }: Handler) => !ofClass.has('ApiExcludeController');
const namesOf = (some: Handler[]) => some.map(({ name }) => name);

describe('controllers', () => {
  it('hold routes and nothing else', () => {
    expect(handlers.length).toBeGreaterThan(30);
    const others = handlers.filter(({ decorators }) => !HTTP_METHODS.some((name) => decorators.has(name)));
    expect(namesOf(others)).toEqual([]);
  });

  it('describe every route with ApiRoute, but for those that are kept out of the document', () => {
    const undescribed = handlers.filter(
      (handler) => !handler.decorators.has('ApiRoute') && isDocumented(handler),
    );
    expect(namesOf(undescribed)).toEqual([]);
    expect(namesOf(handlers.filter((handler) => !isDocumented(handler) && !isPublic(handler)))).toEqual([]);
  });

  it('describe a route as public where it says Public(), and only there', () => {
    const described = handlers.filter(isDocumented);
    const differing = described.filter(
      (handler) =>
        (optionOf(handler.decorators.get('ApiRoute'), 'isPublic') === 'true') !== isPublic(handler),
    );
    expect(described.filter(isPublic).length).toBeGreaterThan(5);
    expect(namesOf(differing)).toEqual([]);
  });

  it('open single routes, never a whole class', () => {
    expect(namesOf(handlers.filter(({ ofClass }) => ofClass.has('Public')))).toEqual([]);
  });

  it('hand the caller on where a route is protected, or ask whether the session lives', () => {
    const guards = ({ decorators, ofClass }: Handler) =>
      [decorators, ofClass].map((each) => each.get('UseGuards')?.getText() ?? '').join();
    const namesCaller = ({ method }: Handler) =>
      method.parameters.some((parameter) => decoratorsOf(parameter).has('CurrentCaller'));
    const careless = handlers.filter(
      (handler) =>
        !isPublic(handler) && !namesCaller(handler) && !guards(handler).includes('LiveSessionGuard'),
    );
    expect(namesOf(careless)).toEqual([]);
  });

  it('leave the work to a service: a method is one statement', () => {
    const busy = handlers.filter(({ method }) => method.body!.statements.length > 1);
    expect(namesOf(busy)).toEqual(MORE_THAN_HTTP_NEEDS);
  });

  it('take bodies and queries as request classes, which refuse unknown fields', () => {
    const loose = handlers.filter(({ method }) =>
      method.parameters.some((parameter) => {
        const decorators = decoratorsOf(parameter);
        const decorator = decorators.get('Body') ?? decorators.get('Query');
        if (!decorator) return false;
        const takesPart = (decorator.expression as ts.CallExpression).arguments.length > 0;
        return takesPart || !/(Request|Query|Body)$/.test(parameter.type?.getText() ?? '');
      }),
    );
    expect(namesOf(loose)).toEqual([]);
  });
});
