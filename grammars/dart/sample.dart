import 'dart:async';
import 'package:flutter/material.dart';

/// How an item of the list is drawn.
typedef ItemBuilder<T> = Widget Function(BuildContext context, T item);

enum LoadState { idle, loading, failed }

/// Keeps the pages of a list and loads more when asked.
abstract class PagedController<T> extends ChangeNotifier {
  PagedController({this.pageSize = 20});

  PagedController.empty() : pageSize = 0;

  final int pageSize;
  final List<T> _items = [];
  LoadState _state = LoadState.idle;

  List<T> get items => List.unmodifiable(_items);

  set state(LoadState value) {
    _state = value;
    notifyListeners();
  }

  /// One page from the server.
  Future<List<T>> fetch(int page);

  /// Loads the next page unless one is on its way.
  Future<void> loadMore() async {
    if (_state == LoadState.loading) return;
    state = LoadState.loading;
    try {
      _items.addAll(await fetch(_items.length ~/ pageSize));
      state = LoadState.idle;
    } on TimeoutException {
      state = LoadState.failed;
    }
  }
}

mixin Searchable on Widget {
  bool matches(String query) => toString().contains(query);
}

extension Shorten on String {
  String shorten(int length) => this.length <= length ? this : substring(0, length);
}

class ItemTile extends StatelessWidget {
  const ItemTile({super.key, required this.title});

  final String title;

  @override
  Widget build(BuildContext context) {
    return ListTile(
      title: Text(title.shorten(40)),
      onTap: () => Navigator.of(context).pop(),
    );
  }
}

/// Starts the app.
void main() {
  runApp(const MaterialApp(home: ItemTile(title: 'Hello')));
}

int compareTitles(ItemTile a, ItemTile b) => a.title.compareTo(b.title);
