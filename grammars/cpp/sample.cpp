#include <memory>
#include <string>
#include <vector>

namespace shapes {

using Points = std::vector<struct Point>;

struct Point {
    double x = 0;
    double y = 0;

    Point operator+(const Point& other) const { return {x + other.x, y + other.y}; }
};

enum class Color { red, green };

/// Everything that can be drawn.
class Shape {
public:
    explicit Shape(Color color) : color_(color) {}
    virtual ~Shape() = default;

    virtual double area() const = 0;
    const std::string& name() const { return name_; }

protected:
    Color color_;
    std::string name_;
};

template <typename T>
concept Drawable = requires(T value) { value.area(); };

// Owns what it holds.
template <typename T>
class Scene final : public Shape {
public:
    void add(std::unique_ptr<T> item);
    double area() const override;

private:
    std::vector<std::unique_ptr<T>> items_;
};

template <typename T>
void Scene<T>::add(std::unique_ptr<T> item) {
    items_.push_back(std::move(item));
}

template <typename T>
double Scene<T>::area() const {
    double sum = 0;
    for (const auto& item : items_) {
        sum += item->area();
    }
    return sum;
}

namespace detail {
int& counter() {
    static int value = 0;
    return value;
}
}  // namespace detail

}  // namespace shapes

shapes::Point* makePoint(double x) {
    return new shapes::Point{x, 0};
}
