"""rass preset: cocosearch-lsp behind the language servers of a buffer.

rass sends what it does not know to its first server alone. Here everything of ours reaches our server,
wherever it is, and a search for symbols is answered by all that can.
"""

from rassumfrassum.frassum import LspLogic

OUR_COMMAND = 'cocosearch.search'


def commands_of(server):
    return (server.caps.get('executeCommandProvider') or {}).get('commands') or []


def place_of(symbol):
    location = symbol.get('location') or {}
    start = (location.get('range') or {}).get('start') or {}
    return location.get('uri'), start.get('line')


class CocosearchLogic(LspLogic):
    async def on_client_request(self, method, params, servers):
        if method == 'workspace/symbol':
            return [s for s in servers if s.caps.get('workspaceSymbolProvider')]
        if method.startswith('cocosearch/'):
            return [s for s in servers if OUR_COMMAND in commands_of(s)]
        if method == 'workspace/executeCommand':
            return [s for s in servers if params.get('command') in commands_of(s)]
        return await super().on_client_request(method, params, servers)

    def process_responses(self, method, items):
        if method != 'workspace/symbol' or all(item.is_error for item in items):
            return super().process_responses(method, items)
        # Exact symbols of the other servers come first; duplicates from cocosearch are dropped.
        items = sorted(
            (item for item in items if not item.is_error),
            key=lambda item: OUR_COMMAND in commands_of(item.server),
        )
        merged, places = [], set()
        for item in items:
            found = [s for s in item.payload or [] if place_of(s) not in places]
            places.update(map(place_of, found))
            merged.extend(found)
        return merged, False


def logic_class():
    return CocosearchLogic
