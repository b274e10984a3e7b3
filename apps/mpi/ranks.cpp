#include "ranks.h"

#include <limits>
#include <new>

#include "limber/core/error.h"

namespace limber {

namespace {

template <class T>
T reduced(T value, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, type, operation, comm);
  return value;
}

/// Items of any size counted as one each, so that counts stay within an int.
class ItemType {
 public:
  explicit ItemType(std::size_t bytes) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_);
    MPI_Type_commit(&type_);
  }
  ~ItemType() { MPI_Type_free(&type_); }
  ItemType(const ItemType&) = delete;
  ItemType& operator=(const ItemType&) = delete;

  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace

Ranks::Ranks(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &size_);
}

std::int64_t Ranks::sum(std::int64_t value) const {
  return reduced(value, MPI_INT64_T, MPI_SUM, comm_);
}
std::int64_t Ranks::least(std::int64_t value) const {
  return reduced(value, MPI_INT64_T, MPI_MIN, comm_);
}
std::int64_t Ranks::largest(std::int64_t value) const {
  return reduced(value, MPI_INT64_T, MPI_MAX, comm_);
}
double Ranks::sum(double value) const { return reduced(value, MPI_DOUBLE, MPI_SUM, comm_); }
double Ranks::largest(double value) const { return reduced(value, MPI_DOUBLE, MPI_MAX, comm_); }

std::int64_t Ranks::sum_before(std::int64_t value) const {
  std::int64_t before = 0;
  MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, comm_);
  return first() ? 0 : before;
}

void Ranks::sum(double* values, int count) const {
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, comm_);
}
void Ranks::largest(double* values, int count) const {
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, comm_);
}

std::int64_t Ranks::broadcast_size(std::size_t size) const {
  auto value = static_cast<std::int64_t>(size);
  MPI_Bcast(&value, 1, MPI_INT64_T, 0, comm_);
  return value;
}

void Ranks::broadcast_bytes(void* data, std::size_t bytes) const {
  constexpr std::size_t kMost = 1U << 30;
  for (std::size_t done = 0; done < bytes; done += kMost) {
    MPI_Bcast(static_cast<char*>(data) + done, static_cast<int>(std::min(kMost, bytes - done)),
              MPI_BYTE, 0, comm_);
  }
}

std::string Ranks::broadcast(std::string text, int from) const {
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, from, comm_);
  text.resize(size);
  MPI_Bcast(text.data(), size, MPI_BYTE, from, comm_);
  return text;
}

std::vector<int> Ranks::exchange_counts(const std::vector<int>& counts) const {
  std::vector<int> incoming(size_);
  MPI_Alltoall(counts.data(), 1, MPI_INT, incoming.data(), 1, MPI_INT, comm_);
  return incoming;
}

std::vector<int> Ranks::running_sum(const std::vector<int>& counts) {
  std::vector<int> sums{0};
  for (const int count : counts) {
    sums.push_back(add_counted(sums.back(), static_cast<std::size_t>(count)));
  }
  return sums;
}

int Ranks::add_counted(int sum, std::size_t count) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (count > kMost - static_cast<std::size_t>(sum)) {
    throw Error("more numbers than MPI can count", "one rank", "use more ranks or fewer modes");
  }
  return sum + static_cast<int>(count);
}

void Ranks::exchange_bytes(const void* sent, const std::vector<int>& counts,
                           const std::vector<int>& offsets, void* received,
                           const std::vector<int>& incoming, const std::vector<int>& begin,
                           std::size_t item_bytes) const {
  const ItemType type(item_bytes);
  MPI_Alltoallv(sent, counts.data(), offsets.data(), type.get(), received, incoming.data(),
                begin.data(), type.get(), comm_);
}

void Ranks::together(const std::function<void()>& work) const {
  std::string message;
  bool failed = true;
  Error::Kind kind = Error::Kind::work_failed;
  try {
    work();
    failed = false;
  } catch (const Error& error) {
    message = error.what();
    kind = error.kind();
  } catch (const std::bad_alloc&) {
    message = "not enough memory (rank " + std::to_string(rank_) +
              "): use more machines, a smaller mesh or fewer modes";
  } catch (const std::exception& error) {
    message = std::string(error.what()) + " (unexpected): please report this";
  }
  const auto teller = static_cast<int>(least(std::int64_t{failed ? rank_ : size_}));
  if (teller == size_) return;
  message = broadcast(message, teller);
  int bad_input = kind == Error::Kind::bad_input ? 1 : 0;
  MPI_Bcast(&bad_input, 1, MPI_INT, teller, comm_);
  throw Error(message, "", "", bad_input != 0 ? Error::Kind::bad_input : Error::Kind::work_failed);
}

}  // namespace limber
